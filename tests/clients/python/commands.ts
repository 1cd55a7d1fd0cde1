// Command lines and evaluations in Python.
import type { Client } from '../client.js';

export const LLM: Client = {
  name: '`llm`',
  environment: 'python',
  inShell: true,
  package: 'llm',
  setup: `
export LLM_USER_PATH="$HOME/llm"
mkdir -p "$LLM_USER_PATH"
cat > "$LLM_USER_PATH/extra-openai-models.yaml" <<END
- model_id: svc
  model_name: $MODEL
  api_base: $OPENAI_BASE_URL
  api_key_name: openai
  supports_schema: true
  supports_tools: true
END`,
  calls: {
    'a prompt': `
test -n "$(llm -m svc -o max_tokens 200 --no-stream 'Where is my parcel?')"`,
    'streamed, and continued': `
test -n "$(llm -m svc -o max_tokens 200 'Where is my parcel?')"
test -n "$(llm -m svc -o max_tokens 200 -c 'And when does it come?')"`,
    '`--schema`': `
llm -m svc -o max_tokens 200 --schema 'urgency int, is_known bool' 'My bill is wrong.' | python3 -c '
import json, sys
assert set(json.load(sys.stdin)) == {"urgency", "is_known"}'`,
    '`--functions`': `
llm -m svc -o max_tokens 200 --functions 'def version() -> str: return "1"' 'Which version?'`,
  },
};

export const OPENAI_COMMAND: Client = {
  name: "OpenAI's command line",
  environment: 'python-command',
  inShell: true,
  package: 'openai',
  setup: '',
  calls: {
    '`models.list`': `openai api models.list | grep -q "$MODEL"`,
    '`chat.completions.create`, streamed too': `
test -n "$(openai api chat.completions.create -m "$MODEL" -M 200 -g user 'Where is my parcel?')"
test -n "$(openai api chat.completions.create -m "$MODEL" -M 200 -g user 'Where is my parcel?' --stream)"`,
    '`completions.create`': `
test -n "$(openai api completions.create -m "$MODEL" -p Once -M 4)"`,
    '`files`, `fine_tuning.jobs`': `
echo '{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}' > rows.jsonl
openai api files.create -f rows.jsonl -p fine-tune > file.json
file=$(grep -o 'file-[A-Za-z0-9-]*' file.json | head -1)
openai api fine_tuning.jobs.create -m "$MODEL" -F "$file" > job.json
grep -q ftjob- job.json
openai api fine_tuning.jobs.list | grep -q ftjob-`,
  },
};

export const LM_EVAL: Client = {
  name: 'lm-evaluation-harness',
  environment: 'python',
  inShell: true,
  package: 'lm-eval',
  setup: `
mkdir -p tasks
echo '{"question": "Where is my parcel?", "answer": " parcel"}' > rows.jsonl
for kind in loglikelihood generate_until; do cat > "tasks/$kind.yaml" <<END
task: svc_$kind
dataset_path: json
dataset_kwargs: { data_files: { test: rows.jsonl } }
test_split: test
output_type: $kind
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: { until: ["\\n"], max_gen_toks: 16 }
metric_list: [{ metric: $([ $kind = loglikelihood ] && echo perplexity || echo exact_match) }]
END
done
evaluate() { lm_eval run --include_path tasks --model_args "model=$MODEL,base_url=$OPENAI_BASE_URL/$2,auth_token=$OPENAI_API_KEY" --model "$1" --tasks "$3" $4; }
`,
  calls: {
    '`local-completions`': `
evaluate local-completions completions svc_loglikelihood,svc_generate_until ""`,
    '`local-chat-completions`': `
evaluate local-chat-completions chat/completions svc_generate_until --apply_chat_template`,
  },
};
