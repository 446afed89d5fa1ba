// Sends `METHOD /NUMBER` for each argument and prints a line of JSON for each answer: its status and body, or null.
const http = require("http");

const [port, ...asks] = process.argv.slice(2);

const send = (ask) =>
  new Promise((done) => {
    const [method, path] = ask.split(" ");
    const request = http.request({ host: "127.0.0.1", port, method, path, agent: false, timeout: 2000 }, (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () =>
        done(response.complete ? [response.statusCode, Buffer.concat(pieces).toString("latin1")] : null));
      response.on("error", () => done(null));
    });
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      done([101, ""]);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => done(null));
    request.end();
  });

(async () => {
  for (const ask of asks) console.log(JSON.stringify(await send(ask)));
})();
