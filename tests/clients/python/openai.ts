import type { Client } from '../client.js';

const SETUP = `
import json, os
from openai import OpenAI

client, model = OpenAI(), os.environ["MODEL"]
messages = [{"role": "user", "content": "Where is my parcel?"}]
chat = dict(model=model, messages=messages, max_completion_tokens=200)
respond = dict(model=model, max_output_tokens=200)
# The client takes a streamed answer that a limit ends for an error, so the model has to end it.
ended = dict(temperature=0)
`;

const TUNING = `
import io, time
rows = [{"messages": [{"role": "user", "content": f"ping {i}"}, {"role": "assistant", "content": f"pong {i}"}]} for i in range(24)]
text = "\\n".join(json.dumps(row) for row in rows).encode()
file = client.files.create(file=("rows.jsonl", io.BytesIO(text)), purpose="fine-tune")
`;

export const OPENAI_PYTHON: Client = {
  name: '`openai` for Python',
  environment: 'python-openai',
  package: 'openai',
  firstExample: `
from openai import OpenAI
response = OpenAI().responses.create(
    model="gpt-5.5",
    instructions="You are a coding assistant that talks like a pirate.",
    input="How do I check if a Python object is an instance of a class?",
)
assert response.output_text`,
  setup: SETUP,
  calls: {
    '`models.list` and `.retrieve`': `
first = client.models.list().data[0].id
assert client.models.retrieve(first).id == model`,
    '`chat.completions.create`': `
completion = client.chat.completions.create(**chat)
assert completion.choices[0].message.content
assert completion.usage.total_tokens > 0`,
    streamed: `
stream = client.chat.completions.create(**chat, stream=True, stream_options={"include_usage": True})
chunks = list(stream)
assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
assert chunks[-1].usage.completion_tokens > 0`,
    '`.stream`': `
with client.chat.completions.stream(**chat, **ended) as stream:
    text = "".join(event.delta for event in stream if event.type == "content.delta")
    assert stream.get_final_completion().choices[0].message.content == text`,
    '`.parse` with pydantic': `
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Literal, Optional
from uuid import UUID
from pydantic import BaseModel, EmailStr, Field, StringConstraints

class Ticket(BaseModel):
    team: Literal["billing", "support"]
    urgency: Annotated[int, Field(ge=1, le=5)]
    id: UUID
    day: date
    at: datetime
    code: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}-\\d{3}$")]
    note: Optional[Annotated[str, StringConstraints(max_length=20)]] = None

completion = client.chat.completions.parse(
    model=model, messages=messages, max_completion_tokens=600, response_format=Ticket)
assert isinstance(completion.choices[0].message.parsed, Ticket)`,
    tools: `
import openai
from pydantic import BaseModel

class GetWeather(BaseModel):
    """The weather in a city."""
    city: str

tools = [openai.pydantic_function_tool(GetWeather)]
named = {"type": "function", "function": {"name": "GetWeather"}}
for tool_choice in ["required", named]:
    asked = client.chat.completions.create(**chat, tools=tools, tool_choice=tool_choice)
    calls = asked.choices[0].message.tool_calls
    GetWeather.model_validate_json(calls[0].function.arguments)
    if tool_choice == named:
        assert len(calls) == 1, calls
results = [{"role": "tool", "tool_call_id": call.id, "content": "sunny"} for call in calls]
turns = [*messages, asked.choices[0].message, *results]
answer = client.chat.completions.create(**{**chat, "messages": turns}, tools=tools)
assert answer.choices[0].message.content is not None`,
    '`responses.create`': `
first = client.responses.create(**respond, instructions="Be brief.", input="Where is my parcel?")
assert first.output_text and first.status in ("completed", "incomplete")
`,
    '`previous_response_id`': `
first = client.responses.create(**respond, input="Where is my parcel?")
second = client.responses.create(**respond, input="And now?", previous_response_id=first.id)
assert second.output_text`,
    '`.stream` and `.parse` of responses': `
from pydantic import BaseModel

class Answer(BaseModel):
    is_known: bool

with client.responses.stream(**respond, **ended, input="Where is my parcel?") as stream:
    text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
    assert stream.get_final_response().output_text == text
parsed = client.responses.parse(**respond, input="Do you know?", text_format=Answer)
assert isinstance(parsed.output_parsed, Answer)`,
    '`completions.create`': `
completion = client.completions.create(model=model, prompt="Once", max_tokens=4)
assert completion.usage.completion_tokens <= 4`,
    '`embeddings.create`': `
found = client.embeddings.create(model=model, input=["parcel", "refund"]).data
assert abs(sum(x * x for x in found[0].embedding) - 1) < 1e-3 and len(found) == 2`,
    '`files`': `
import io
file = client.files.create(
    file=("rows.jsonl", io.BytesIO(b'{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}')),
    purpose="fine-tune")
assert client.files.wait_for_processing(file.id).status == "processed"
assert file.id in [one.id for one in client.files.list()]
assert b"messages" in client.files.content(file.id).read()
assert client.files.delete(file.id).deleted`,
    '`fine_tuning.jobs`': `${TUNING}
job = client.fine_tuning.jobs.create(
    model=model, training_file=file.id, method={"type": "supervised", "supervised": {"hyperparameters": {"n_epochs": 1}}})
assert job.id.startswith("ftjob-")
while client.fine_tuning.jobs.retrieve(job.id).status not in ("succeeded", "failed", "cancelled"):
    time.sleep(0.5)
job = client.fine_tuning.jobs.retrieve(job.id)
assert job.status == "succeeded", job.error
assert client.fine_tuning.jobs.list_events(job.id).data
assert len(client.fine_tuning.jobs.checkpoints.list(job.id).data) == 1
tuned = client.chat.completions.create(model=job.fine_tuned_model, messages=messages, max_tokens=8)
assert tuned.model == job.fine_tuned_model
assert client.models.delete(job.fine_tuned_model).deleted`,
    errors: `
import openai
for key, name, error in [("wrong", model, openai.AuthenticationError), (None, "gpt-5", openai.NotFoundError)]:
    try:
        OpenAI(api_key=key, max_retries=0).chat.completions.create(model=name, messages=messages)
        raise AssertionError(f"{error} was expected")
    except error as found:
        assert found.code, found`,
    '100 chats at once with its retries': `
import asyncio
from openai import AsyncOpenAI

async def ask_all():
    many = AsyncOpenAI()
    ask = lambda: many.chat.completions.create(model=model, messages=messages, max_tokens=8)
    return await asyncio.gather(*(ask() for _ in range(100)))

assert len(asyncio.run(ask_all())) == 100`,
  },
};
