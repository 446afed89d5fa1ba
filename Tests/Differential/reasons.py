"""Why we refuse what all others accept, a sentence for each kind."""

from fnmatch import fnmatch

REASONS = {
    "chunk.extension-*": "an extension is `name` or `name=value`: readers have disagreed about where another line ends",
    "content-length.leading-zero": "one number has one spelling: who takes it for octal would find another end",
    "content-length.double-zero": "one number has one spelling: who takes it for octal would find another end",
    "*.space-after*": "what decides where a message ends may have no white space behind it",
    "empty-line.*": "one empty line, of CR LF, may stand before a request: nothing is skipped without an end",
    "expect.*": "the one expectation that can be met is 100-continue, alone",
    "host.*": "the door compares the host, so it must be a host with a port and nothing else",
    "method.two-spaces": "one space stands between the parts of a request line",
    "method.unknown": "a method that is not known is told so here; a proxy hands it on",
    "response.status-*": "a status means something from 100 to 599 only",
    "response.te-*": "what decides where an answer ends is told once, in one form, by a version that knows it",
    "target.absolute-*": "a target of another scheme is not for this server",
    "target.backslash": "some readers take a backslash for a slash",
    "target.*percent*": "a broken escape means one thing to one reader and another to the next",
}


def reason(vector):
    """None when nobody has given one yet."""
    name = f"{vector.subject}.{vector.name.split('.')[1]}"
    return next((sentence for pattern, sentence in REASONS.items() if fnmatch(name, pattern)), None)
