// Libraries for structured answers, and for many providers, in Python.
import type { Client } from '../client.js';

const TICKET = `
from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID
from pydantic import BaseModel, EmailStr, Field

class Ticket(BaseModel):
    team: Literal["billing", "support"]
    urgency: Annotated[int, Field(ge=1, le=5)]
    id: UUID
    email: EmailStr
    at: datetime
    code: Annotated[str, Field(pattern=r"^[A-Z]{2}-\\d{3}$")]
`;

export const INSTRUCTOR: Client = {
  name: '`instructor` for Python',
  environment: 'python',
  package: 'instructor',
  firstExample: `
import instructor
from pydantic import BaseModel

class User(BaseModel):
    name: str
    age: int

client = instructor.from_provider("openai/gpt-4o-mini")
assert isinstance(client.chat.completions.create(
    response_model=User, messages=[{"role": "user", "content": "John is 25 years old"}]), User)`,
  setup: `
import os
import instructor
from openai import OpenAI
${TICKET}
messages = [{"role": "user", "content": "My bill is wrong."}]

def ask(mode, **options):
    client = instructor.from_openai(OpenAI(), mode=mode)
    return client.chat.completions.create(
        model=os.environ["MODEL"], messages=messages, response_model=Ticket, max_tokens=600, **options)
`,
  calls: {
    '`from_provider`': `
client = instructor.from_provider("openai/" + os.environ["MODEL"])
assert isinstance(client.create(response_model=Ticket, messages=messages, max_tokens=600), Ticket)`,
    '`TOOLS`, `TOOLS_STRICT`': `
for mode in [instructor.Mode.TOOLS, instructor.Mode.TOOLS_STRICT]:
    assert isinstance(ask(mode), Ticket)`,
    '`JSON_SCHEMA`': `
assert isinstance(ask(instructor.Mode.JSON_SCHEMA), Ticket)`,
    '`RESPONSES_TOOLS`': `
client = instructor.from_openai(OpenAI(), mode=instructor.Mode.RESPONSES_TOOLS)
assert isinstance(client.responses.create(
    model=os.environ["MODEL"], input="My bill is wrong.", response_model=Ticket, max_output_tokens=600), Ticket)`,
    '`create_partial`, `create_iterable`': `

# It holds whole answers strictly, as values of Python: a text is no UUID then.
class Short(BaseModel):
    team: Literal["billing", "support"]
    code: Annotated[str, Field(pattern=r"^[A-Z]{2}-\\d{3}$")]

client = instructor.from_openai(OpenAI()).chat.completions
asked = dict(model=os.environ["MODEL"], messages=messages, response_model=Short, max_tokens=200)
parts = list(client.create_partial(**asked))
assert Short.model_validate(parts[-1].model_dump())
assert all(isinstance(one, Short) for one in client.create_iterable(**asked))`,
  },
};

export const LITELLM: Client = {
  name: '`litellm`',
  environment: 'python',
  package: 'litellm',
  firstExample: `
from litellm import completion
for model in ["openai/gpt-4o", "anthropic/claude-sonnet-4-20250514"]:
    response = completion(model=model, messages=[{"role": "user", "content": "Hello!"}])
    assert response.choices[0].message.content`,
  setup: `
import json, os
import litellm
${TICKET}
model = "openai/" + os.environ["MODEL"]
messages = [{"role": "user", "content": "Where is my parcel?"}]
key = dict(api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])
at = dict(**key, max_tokens=200)
`,
  calls: {
    '`completion`': `
found = litellm.completion(model=model, messages=messages, **at)
assert found.choices[0].message.content and found.usage.total_tokens > 0`,
    streamed: `
chunks = litellm.completion(model=model, messages=messages, stream=True, **at)
assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks)`,
    '`response_format` with pydantic': `
found = litellm.completion(model=model, messages=messages, response_format=Ticket, **key, max_tokens=600)
Ticket.model_validate_json(found.choices[0].message.content)`,
    tools: `
tool = {"type": "function", "function": {"name": "get_weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}
found = litellm.completion(model=model, messages=messages, tools=[tool], tool_choice="required", **at)
assert "city" in json.loads(found.choices[0].message.tool_calls[0].function.arguments)`,
    '`responses`': `
found = litellm.responses(model=model, input="Where is my parcel?", max_output_tokens=200, **key)
assert found.output[0].content[0].text`,
    '`text_completion`, `embedding`': `
assert litellm.text_completion(model="text-completion-openai/" + os.environ["MODEL"], prompt="Once", max_tokens=4, **key)
assert len(litellm.embedding(model=model, input=["parcel"], **key).data) == 1`,
    'an Anthropic route': `
at.update(api_base=os.environ["ANTHROPIC_BASE_URL"], api_key=os.environ["ANTHROPIC_API_KEY"])
assert litellm.completion(model="anthropic/" + os.environ["MODEL"], messages=messages, **at).choices[0].message.content`,
    errors: `
for key, name, error in [("wrong", model, litellm.AuthenticationError), (at["api_key"], "openai/gpt-5", litellm.NotFoundError)]:
    try:
        litellm.completion(model=name, messages=messages, api_base=at["api_base"], api_key=key, num_retries=0)
        raise AssertionError(f"{error} was expected")
    except error:
        pass`,
  },
};

export const MAGENTIC: Client = {
  name: '`magentic`',
  environment: 'python',
  package: 'magentic',
  firstExample: `
from magentic import prompt

@prompt('Add more "dude"ness to: {phrase}')
def dudeify(phrase: str) -> str: ...

assert dudeify("Hello, how are you?")`,
  setup: `
import os
from magentic import FunctionCall, OpenaiChatModel, StreamedStr, prompt
from pydantic import BaseModel

model = OpenaiChatModel(os.environ["MODEL"], max_tokens=300)

class Ticket(BaseModel):
    is_urgent: bool
`,
  calls: {
    '`@prompt`': `
@prompt("Answer {question}", model=model)
def answer(question: str) -> str: ...
assert answer("Where is my parcel?")`,
    '`StreamedStr`': `
@prompt("Answer {question}", model=model)
def answer(question: str) -> StreamedStr: ...
assert "".join(answer("Where is my parcel?"))`,
    'a pydantic model': `
@prompt("Make a ticket of {message}", model=model)
def triage(message: str) -> Ticket: ...
assert isinstance(triage("My bill is wrong."), Ticket)`,
    '`FunctionCall`': `
def get_weather(city: str) -> str:
    """The weather in a city."""
    return "sunny"

@prompt("Which weather for {question}", functions=[get_weather], model=model)
def ask(question: str) -> FunctionCall[str]: ...
assert ask("Rome")() == "sunny"`,
  },
};

export const MARVIN: Client = {
  name: '`marvin`',
  environment: 'python-marvin',
  package: 'marvin',
  setup: `
import os
import marvin
from pydantic import BaseModel
from pydantic_ai.models.openai import OpenAIChatModel

agent = marvin.Agent(model=OpenAIChatModel(os.environ["MODEL"], settings={"max_tokens": 600}))
`,
  calls: {},
  callsOfLargerModels: {
    '`cast`': `
class Ticket(BaseModel):
    is_urgent: bool
assert isinstance(marvin.cast("My bill is wrong, hurry!", Ticket, agent=agent), Ticket)`,
    '`extract`': `
assert isinstance(marvin.extract("I have 3 bills.", int, agent=agent), list)`,
  },
};

export const ANTHROPIC_PYTHON: Client = {
  name: '`anthropic` for Python',
  environment: 'python',
  package: 'anthropic',
  firstExample: `
from anthropic import Anthropic
message = Anthropic().messages.create(
    max_tokens=1024, messages=[{"role": "user", "content": "Hello, Claude"}], model="claude-opus-5-5")
assert message.content[0].text`,
  setup: `
import os
from anthropic import Anthropic, AuthenticationError, NotFoundError

client, model = Anthropic(), os.environ["MODEL"]
messages = [{"role": "user", "content": "Where is my parcel?"}]
tools = [{"name": "get_weather", "description": "The weather in a city.", "input_schema": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]
`,
  calls: {
    '`messages.create`': `
message = client.messages.create(model=model, max_tokens=64, system="Be brief.", messages=messages)
assert message.content[0].text and message.usage.output_tokens > 0`,
    '`.stream`': `
with client.messages.stream(model=model, max_tokens=64, messages=messages) as stream:
    text = "".join(stream.text_stream)
    assert stream.get_final_message().content[0].text == text`,
    tools: `
for tool_choice in [{"type": "any"}, {"type": "tool", "name": "get_weather"}]:
    asked = client.messages.create(
        model=model, max_tokens=512, messages=messages, tools=tools, tool_choice=tool_choice)
    assert asked.stop_reason == "tool_use"
    used = [block for block in asked.content if block.type == "tool_use"]
    assert "city" in used[0].input
results = [{"type": "tool_result", "tool_use_id": block.id, "content": "sunny"} for block in used]
turns = [*messages, {"role": "assistant", "content": asked.content}, {"role": "user", "content": results}]
assert client.messages.create(model=model, max_tokens=64, messages=turns, tools=tools).content is not None`,
    '`.count_tokens`': `
assert client.messages.count_tokens(model=model, messages=messages).input_tokens > 0`,
    '`models`': `
assert model in [one.id for one in client.models.list()]
assert client.models.retrieve(model).type == "model"`,
    errors: `
for key, name, error in [("wrong", model, AuthenticationError), (None, "claude", NotFoundError)]:
    try:
        Anthropic(api_key=key, max_retries=0).messages.create(model=name, max_tokens=8, messages=messages)
        raise AssertionError(f"{error} was expected")
    except error:
        pass`,
  },
};
