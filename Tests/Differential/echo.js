// Answers every request with what Node read it as.
const http = require("http");

const answer = (method, target, body) => Buffer.concat([Buffer.from(`${method} ${target}\n`, "latin1"), body]).toString("hex");

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    response.setHeader("X-Saw", answer(request.method, request.url, Buffer.concat(pieces)));
    response.setHeader("Content-Length", "0");
    response.end();
  });
});
server.on("connect", (request, socket) => {
  socket.end(`HTTP/1.1 200 OK\r\nX-Saw: ${answer("CONNECT", request.url, Buffer.alloc(0))}\r\n\r\n`);
});
server.headersTimeout = 2000;
server.requestTimeout = 2000;
server.listen(Number(process.argv[2]), "127.0.0.1");
