// Frameworks for agents in Python.
import type { Client } from '../client.js';

export const OPENAI_AGENTS: Client = {
  name: '`openai-agents` for Python',
  environment: 'python',
  package: 'openai-agents',
  firstExample: `
from agents import Agent, Runner
agent = Agent(name="Assistant", instructions="You are a helpful assistant")
assert Runner.run_sync(agent, "Write a haiku about recursion in programming.").final_output`,
  setup: `
import asyncio, os
from typing import Literal
from agents import (
    Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, SQLiteSession, function_tool)
from openai import AsyncOpenAI
from pydantic import BaseModel

client, name = AsyncOpenAI(), os.environ["MODEL"]
models = [OpenAIResponsesModel(name, client), OpenAIChatCompletionsModel(name, client)]
short = ModelSettings(max_tokens=200)`,
  calls: {
    '`Runner.run_sync`': `
for model in models:
    agent = Agent(name="Assistant", instructions="You are a helpful assistant.", model=model, model_settings=short)
    assert Runner.run_sync(agent, "Where is my parcel?").final_output`,
    '`.run_streamed`': `
async def main():
    for model in models:
        result = Runner.run_streamed(
            Agent(name="Assistant", model=model, model_settings=short), input="Where is my parcel?")
        kinds = [event.type async for event in result.stream_events()]
        assert "raw_response_event" in kinds and result.final_output

asyncio.run(main())`,
    tools: `
cities = []

@function_tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    cities.append(city)
    return "sunny"

for model in models:
    for tool_choice in ["required", "get_weather"]:
        before = len(cities)
        settings = short.resolve(ModelSettings(tool_choice=tool_choice))
        agent = Agent(name="Weather", model=model, tools=[get_weather], model_settings=settings)
        assert Runner.run_sync(agent, "What is the weather in Rome?").final_output is not None
        assert len(cities) > before`,
    '`output_type`': `
class Ticket(BaseModel):
    team: Literal["billing", "support"]
    is_urgent: bool

for model in models:
    agent = Agent(name="Triage", model=model, output_type=Ticket, model_settings=short)
    assert isinstance(Runner.run_sync(agent, "My bill is wrong.").final_output, Ticket)`,
    sessions: `
for model in models:
    session, agent = SQLiteSession("one"), Agent(name="Assistant", model=model, model_settings=short)
    for question in ["Where is my parcel?", "And when does it come?"]:
        assert Runner.run_sync(agent, question, session=session).final_output`,
    handoffs: `
for model in models:
    other = Agent(name="Billing", model=model, model_settings=short)
    settings = short.resolve(ModelSettings(tool_choice="required"))
    agent = Agent(name="Triage", model=model, handoffs=[other], model_settings=settings)
    assert Runner.run_sync(agent, "My bill is wrong.").last_agent.name == "Billing"`,
  },
};

export const PYDANTIC_AI: Client = {
  name: '`pydantic-ai`',
  environment: 'python',
  package: 'pydantic-ai-slim',
  firstExample: `
from pydantic_ai import Agent
agent = Agent("openai:gpt-5.2", instructions="Be concise, reply with one sentence.")
assert agent.run_sync('Where does "hello world" come from?').output`,
  setup: `
import os
from datetime import date
from typing import Annotated, Literal
from pydantic import BaseModel, Field
from pydantic_ai import Agent, Embedder, NativeOutput, PromptedOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel

name = os.environ["MODEL"]
short = {"max_tokens": 200}
models = [OpenAIChatModel(name, settings=short), OpenAIResponsesModel(name, settings=short)]

class Ticket(BaseModel):
    team: Literal["billing", "support"]
    urgency: Annotated[int, Field(ge=1, le=5)]
    due: date`,
  calls: {
    '`run_sync`': `
for model in models:
    assert Agent(model, instructions="Be concise.").run_sync("Where is my parcel?").output`,
    '`run_stream_sync`': `
for model in models:
    result = Agent(model).run_stream_sync("Where is my parcel?")
    assert "".join(result.stream_text(delta=True))`,
    '`output_type` by a tool and by a schema': `
for model in models:
    for output_type in [Ticket, NativeOutput(Ticket)]:
        assert isinstance(Agent(model, output_type=output_type).run_sync("My bill is wrong.").output, Ticket)`,
    'message history': `
for model in models:
    agent = Agent(model)
    first = agent.run_sync("Where is my parcel?")
    assert agent.run_sync("And when does it come?", message_history=first.new_messages()).output`,
    tools: `
from pydantic_ai import UsageLimits
from pydantic_ai.exceptions import UsageLimitExceeded

for model in models:
    agent, called = Agent(model, output_type=bool), []

    @agent.tool_plain
    def get_customer(name: Literal["Ann", "Bob"]) -> str:
        """The customer of that name."""
        called.append(name)
        return "a customer"

    # A small model may call it again and again.
    try:
        limits = UsageLimits(request_limit=4)
        assert isinstance(agent.run_sync("Is Ann a customer?", usage_limits=limits).output, bool)
    except UsageLimitExceeded:
        assert called`,
  },
};

export const SMOLAGENTS: Client = {
  name: '`smolagents`',
  environment: 'python',
  package: 'smolagents',
  setup: `
import os
from smolagents import ChatMessage, MessageRole, OpenAIModel, Tool, ToolCallingAgent, tool

at = dict(api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])
model = OpenAIModel(model_id=os.environ["MODEL"], max_tokens=300, **at)
messages = [ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": "Where is my parcel?"}])]

@tool
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: The city.
    """
    return "sunny"
`,
  calls: {
    '`OpenAIModel`': `
assert model.generate(messages).content`,
    '`generate_stream`': `
assert "".join(delta.content or "" for delta in model.generate_stream(messages))`,
    tools: `
message = model.generate(messages, tools_to_call_from=[get_weather])
assert message.tool_calls[0].function.name == "get_weather"`,
  },
  callsOfLargerModels: {
    '`ToolCallingAgent`': `
agent = ToolCallingAgent(tools=[get_weather], model=model, max_steps=2, verbosity_level=0)
assert agent.run("What is the weather in Rome?") is not None`,
  },
};

export const INSPECT: Client = {
  name: '`inspect-ai`',
  environment: 'python-openai',
  package: 'inspect-ai',
  setup: `
import os
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import tool

os.environ.update(SVC_BASE_URL=os.environ["OPENAI_BASE_URL"], SVC_API_KEY=os.environ["OPENAI_API_KEY"])
name = os.environ["MODEL"]
dataset = [Sample(input="Where is my parcel?", target="parcel"), Sample(input="Say hello.", target="hello")]

def run(model, solver=generate(), **options):
    [log] = eval(
        Task(dataset=dataset, solver=solver, scorer=includes()), model=model, display="none", **options)
    assert log.status == "success", log.error
    assert len(log.samples) == 2 and all(sample.output.choices for sample in log.samples)`,
  calls: {
    '`openai/…`': `
# Unless it knows about summaries, it asks for one first, without a limit.
run("openai/" + name, max_tokens=64, reasoning_summary="none")`,
    '`openai-api/…`': `
run("openai-api/svc/" + name, max_tokens=64, temperature=0, seed=1)`,
    tools: `
@tool
def get_weather():
    async def execute(city: str):
        """The weather in a city.

        Args:
            city: The city.
        """
        return "sunny"

    return execute

run("openai-api/svc/" + name, [use_tools(get_weather()), generate()], max_tokens=64)`,
  },
};
