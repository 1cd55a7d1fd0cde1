# Calls an endpoint with the official client for Python: at once, and in a stream.
import os
import sys

from openai import OpenAI

client = OpenAI(
    base_url=os.environ["BASE_URL"],
    api_key=os.environ.get("API_KEY", "not-required"),
)
model = os.environ.get("MODEL", "svc/tiny-instruct")
question = sys.argv[1] if len(sys.argv) > 1 else "What are you?"
messages = [{"role": "user", "content": question}]

whole = client.chat.completions.create(model=model, messages=messages, temperature=0)
print(whole.choices[0].message.content)

stream = client.chat.completions.create(model=model, messages=messages, temperature=0, stream=True)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
print()
