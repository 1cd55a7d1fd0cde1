// Frameworks for chains and pipelines in Python.
import type { Client } from '../client.js';

export const LANGCHAIN_PYTHON: Client = {
  name: 'LangChain and LangGraph for Python',
  environment: 'python',
  package: 'langchain-openai',
  firstExample: `
from langchain.chat_models import init_chat_model
assert init_chat_model("openai:gpt-5.4").invoke("Hello, world!").content`,
  setup: `
import os
from datetime import date
from typing import Literal
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

name = os.environ["MODEL"]
options = dict(model=name, max_tokens=200)
models = [ChatOpenAI(**options), ChatOpenAI(**options, use_responses_api=True)]

class Ticket(BaseModel):
    """A ticket for one of our teams."""
    team: Literal["billing", "support"]
    due: date

def get_weather(city: str) -> str:
    """The weather in a city."""
    return "sunny"
`,
  calls: {
    '`ChatOpenAI.invoke`': `
for llm in models:
    answer = llm.invoke([("system", "Be brief."), ("human", "Where is my parcel?")])
    assert answer.text and answer.usage_metadata["output_tokens"] > 0`,
    '`.stream`': `
for llm in models:
    assert "".join(chunk.text for chunk in llm.stream("Where is my parcel?"))`,
    '`.batch`': `
for llm in models:
    assert all(answer.text for answer in llm.batch(["Where is my parcel?", "Hello."] * 4))`,
    '`.with_structured_output`': `
for llm in models:
    for method in ["json_schema", "function_calling"]:
        found = llm.with_structured_output(Ticket, method=method).invoke("My bill is wrong.")
        assert isinstance(found, Ticket), found`,
    '`.bind_tools`': `
for llm in models:
    for tool_choice in ["required", "get_weather"]:
        [*calls] = llm.bind_tools([get_weather], tool_choice=tool_choice).invoke("Weather in Rome?").tool_calls
        assert all(call["name"] == "get_weather" and "city" in call["args"] for call in calls) and calls`,
    '`create_agent`': `
from langchain.agents import create_agent
for llm in models:
    agent = create_agent(llm, tools=[get_weather], system_prompt="Be brief.")
    found = agent.invoke({"messages": [{"role": "user", "content": "What is the weather in Rome?"}]})
    assert found["messages"][-1].type == "ai"`,
    '`create_agent` with `response_format`': `
from langchain.agents import create_agent
for llm in models:
    agent = create_agent(llm, tools=[], response_format=Ticket)
    found = agent.invoke({"messages": [{"role": "user", "content": "My bill is wrong."}]})
    assert isinstance(found["structured_response"], Ticket)`,
    '`StateGraph` with memory': `
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
for llm in models:
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": llm.invoke(state["messages"])})
    graph.add_edge(START, "model")
    app = graph.compile(checkpointer=InMemorySaver())
    for text in ["Where is my parcel?", "And when does it come?"]:
        found = app.invoke({"messages": [("human", text)]}, {"configurable": {"thread_id": "1"}})
    assert len(found["messages"]) == 4`,
    '`OpenAIEmbeddings` (`check_embedding_ctx_length=False`)': `
embeddings = OpenAIEmbeddings(model=name, check_embedding_ctx_length=False)
assert len(embeddings.embed_documents(["parcel", "refund"])) == 2`,
  },
};

export const LLAMA_INDEX: Client = {
  name: 'LlamaIndex, `OpenAILike`',
  environment: 'python',
  package: 'llama-index-llms-openai-like',
  firstExample: `
import os
from llama_index.llms.openai_like import OpenAILike
llm = OpenAILike(
    model="my-model",
    api_base=os.environ["OPENAI_BASE_URL"],
    api_key=os.environ["OPENAI_API_KEY"],
    context_window=128000,
    is_chat_model=True,
    is_function_calling_model=False,
)
assert llm.complete("Hello").text`,
  setup: `
import asyncio, os
from typing import Literal
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

at = dict(api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])
llm = OpenAILike(
    model=os.environ["MODEL"], is_chat_model=True, is_function_calling_model=True, max_tokens=200, **at)

class Ticket(BaseModel):
    """A ticket for one of our teams."""
    team: Literal["billing", "support"]
    is_urgent: bool

def get_weather(city: str) -> str:
    """The weather in a city."""
    return "sunny"
`,
  calls: {
    '`complete`, `chat`': `
assert llm.complete("Where is my parcel?").text
assert llm.chat([ChatMessage(role="user", content="Where is my parcel?")]).message.content`,
    streamed: `
assert "".join(part.delta or "" for part in llm.stream_chat([ChatMessage(role="user", content="Hello.")]))`,
    '`as_structured_llm`': `
found = llm.as_structured_llm(Ticket).chat([ChatMessage(role="user", content="My bill is wrong.")])
assert isinstance(found.raw, Ticket)`,
    tools: `
tool = FunctionTool.from_defaults(get_weather)
found = llm.chat_with_tools([tool], user_msg="Weather in Rome?", tool_required=True)
assert llm.get_tool_calls_from_response(found)[0].tool_name == "get_weather"`,
    '`FunctionAgent`': `
from llama_index.core.agent.workflow import FunctionAgent
async def main():
    agent = FunctionAgent(tools=[get_weather], llm=llm, system_prompt="Be brief.")
    assert str(await agent.run("What is the weather in Rome?")) is not None

asyncio.run(main())`,
    '`VectorStoreIndex` with `OpenAILikeEmbedding`': `
from llama_index.core import Document, VectorStoreIndex
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
embed_model = OpenAILikeEmbedding(model_name=os.environ["MODEL"], **at)
index = VectorStoreIndex.from_documents([Document(text="The parcel is in Rome.")], embed_model=embed_model)
assert str(index.as_query_engine(llm=llm).query("Where is the parcel?"))`,
  },
};

export const HAYSTACK: Client = {
  name: 'Haystack',
  environment: 'python',
  package: 'haystack-ai',
  firstExample: `
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
messages = [ChatMessage.from_user("What's Natural Language Processing? Be brief.")]
assert OpenAIChatGenerator().run(messages)["replies"][0].text`,
  setup: `
import os
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from typing import Annotated

generators = [OpenAIChatGenerator, OpenAIResponsesChatGenerator]
at = dict(model=os.environ["MODEL"], api_base_url=os.environ["OPENAI_BASE_URL"])
limits = [{"max_completion_tokens": 200}, {"max_output_tokens": 200}]
messages = [ChatMessage.from_user("What is the weather in Rome?")]

@tool
def get_weather(city: Annotated[str, "The city"]) -> str:
    """The weather in a city."""
    return "sunny"
`,
  calls: {
    '`OpenAIChatGenerator`, `OpenAIResponsesChatGenerator`': `
for generator, limit in zip(generators, limits):
    assert generator(**at, generation_kwargs=limit).run(messages)["replies"][0].text`,
    streamed: `
for generator, limit in zip(generators, limits):
    parts = []
    stream = dict(streaming_callback=lambda chunk: parts.append(chunk.content))
    generator(**at, **stream, generation_kwargs=limit).run(messages)
    assert "".join(parts)`,
    tools: `
for generator, limit in zip(generators, limits):
    asked = {**limit, "tool_choice": "required"}
    found = generator(**at, tools=[get_weather], generation_kwargs=asked).run(messages)
    assert found["replies"][0].tool_calls[0].tool_name == "get_weather"`,
    'structured output': `
import json
from pydantic import BaseModel
class Ticket(BaseModel):
    is_urgent: bool
for generator, field, limit in zip(generators, ["response_format", "text_format"], limits):
    found = generator(**at, generation_kwargs={**limit, field: Ticket}).run(messages)
    Ticket.model_validate_json(found["replies"][0].text)`,
    '`Agent`': `
from haystack.components.agents import Agent
agent = Agent(chat_generator=OpenAIChatGenerator(**at, generation_kwargs=limits[0]), tools=[get_weather])
assert agent.run(messages)["messages"][-1].text is not None`,
    '`OpenAITextEmbedder`': `
from haystack.components.embedders import OpenAITextEmbedder
assert OpenAITextEmbedder(**at).run("parcel")["embedding"]`,
  },
};

export const DSPY: Client = {
  name: 'DSPy',
  environment: 'python',
  package: 'dspy',
  firstExample: `
import dspy
lm = dspy.LM("openai/gpt-4o-mini")
dspy.configure(lm=lm)
assert lm("Say this is a test!", temperature=0.7)`,
  setup: `
import os
from typing import Literal
import dspy, litellm

at = dict(api_base=os.environ["OPENAI_BASE_URL"], cache=False, max_tokens=400)
lm = dspy.LM("openai/" + os.environ["MODEL"], **at)
dspy.configure(lm=lm)
# It asks for a schema only where litellm knows of the model that it takes one.
takes = {"litellm_provider": "openai", "mode": "chat", "supports_response_schema": True}
litellm.register_model({"openai/" + os.environ["MODEL"]: takes})

class Triage(dspy.Signature):
    """Which team takes the message."""
    message: str = dspy.InputField()
    team: Literal["billing", "support"] = dspy.OutputField()
`,
  calls: {
    '`dspy.LM`': `
assert lm("Where is my parcel?")[0]
assert lm(messages=[{"role": "user", "content": "Where is my parcel?"}], temperature=0.7, n=2)`,
    '`Predict` and `ChainOfThought` with `JSONAdapter`': `
with dspy.context(adapter=dspy.JSONAdapter()):
    assert dspy.Predict(Triage)(message="My bill is wrong.").team in ("billing", "support")
    assert isinstance(dspy.ChainOfThought("question -> answer: float")(question="What is 2 + 2?").answer, float)`,
    '`LM` through responses': `
lm = dspy.LM("openai/" + os.environ["MODEL"], model_type="responses", **at)
assert lm("Where is my parcel?")[0]`,
    '`Embedder`': `
embedder = dspy.Embedder("openai/" + os.environ["MODEL"], api_base=os.environ["OPENAI_BASE_URL"], caching=False)
assert embedder(["parcel", "refund"]).shape[0] == 2`,
  },
};
