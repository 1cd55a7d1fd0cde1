# Stands in for the client library where Python has none: sends the one request that the sample asks for, as it would.
import json
from types import SimpleNamespace
from urllib.request import Request, urlopen


class OpenAI:
    def __init__(self, *, base_url, api_key):
        if not api_key:
            raise ValueError("api_key must be set")

        def create(**body):
            request = Request(
                base_url.rstrip("/") + "/chat/completions",
                data=json.dumps(body).encode(),
                headers={"Content-Type": "application/json", "Authorization": "Bearer " + api_key},
            )
            with urlopen(request, timeout=120) as answer:
                return json.load(answer, object_hook=lambda fields: SimpleNamespace(**fields))

        self.chat = SimpleNamespace(completions=SimpleNamespace(create=create))
