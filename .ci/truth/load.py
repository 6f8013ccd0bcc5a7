"""Opens captured files: packed or not, one JSON document or one a line."""
import gzip
import json


def opened(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        return f.read().decode("utf-8-sig")


def documents(path):
    """The JSON documents of a file: the whole, or one on each line."""
    text = opened(path)
    try:
        yield json.loads(text, strict=False)
        return
    except ValueError:
        pass
    for line in text.split("\n"):
        try:
            yield json.loads(line, strict=False)
        except ValueError:
            continue  # the harvest rejects it, and there is nothing to compare


def items(document, *keys):
    """The records in an answer: under one of the keys, in a list, or itself."""
    for k in keys:
        if isinstance(document, dict) and isinstance(document.get(k), (list, dict)):
            yield from items(document[k], *keys)
            return
    if isinstance(document, list):
        yield from (x for x in document if isinstance(x, dict))
    elif isinstance(document, dict):
        yield document


def many(v):
    """A member that may be one value or a list of them."""
    return [] if v in (None, "") else v if isinstance(v, list) else [v]
