"""Calls the classes of wallabag-client that speak to the server, as its commands call them: one line of JSON each.

Usage: session.py FOLDER-WITH-THE-PACKAGE SERVER CLIENT SECRET NAME PASSWORD, from a folder of its own. What the package
needs for its words and colours alone is replaced; requests and packaging are the real ones.
"""

import importlib
import json
import sys
from unittest.mock import MagicMock

for missing in ("Crypto", "Crypto.Cipher", "Crypto.Hash", "click", "xdg", "xdg.BaseDirectory", "yaspin"):
    sys.modules[missing] = MagicMock()
sys.modules["xdg.BaseDirectory"].xdg_config_home = "."
sys.path.insert(0, sys.argv[1])

from wallabag.config import Configs, Options, Sections  # noqa: E402

# The file is of this run alone.
Configs.ENCRYPT_VALUES = []
config = Configs("config.ini")
config.custom_path = "config.ini"
for (section, option), value in zip(
    [
        (Sections.API, Options.SERVERURL),
        (Sections.OAUTH2, Options.CLIENT),
        (Sections.OAUTH2, Options.SECRET),
        (Sections.API, Options.USERNAME),
        (Sections.API, Options.PASSWORD),
    ],
    sys.argv[2:],
):
    config.set(section, option, value)


def called(order):
    module = importlib.import_module("wallabag.api." + order["module"])
    arguments = list(order.get("arguments", []))
    if "params" in order:
        arguments.append({module.Params[name]: value for name, value in order["params"].items()})
    made = getattr(module, order["name"])(config, *arguments).request()
    content = made.content or b""
    start = content[:64] if isinstance(content, bytes) else b""
    return {"response": made.response, "filename": made.filename, "start": start.decode("latin-1")}


def validated():
    validator = importlib.import_module("wallabag.configurator").Validator(config)
    return {"config": validator.execute(), "oauth": validator.check_oauth()[:2]}


for line in sys.stdin:
    order = json.loads(line)
    try:
        answer = validated() if order["name"] == "Validator" else called(order)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
