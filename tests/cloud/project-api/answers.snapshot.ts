// Answers as a cloud gave them, written by official-types.test.ts. Compiles only if the clients' own types accept each of them.
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';

/** Without what the client adds. More fields than the types have are fine: they do not know all of the API's. */
type Wire<T> = T extends readonly (infer Item)[]
  ? readonly Wire<Item>[]
  : T extends object
    ? { readonly [Name in keyof T as Name extends 'output_text' ? never : Name]: Wire<T[Name]> }
    : T;

/** The API sends null before the end, which the types do not know. */
type TextChunk = Omit<OpenAI.Completion, 'usage' | 'choices'> & {
  usage: OpenAI.CompletionUsage | null;
  choices: (Omit<OpenAI.CompletionChoice, 'finish_reason'> & {
    finish_reason: OpenAI.CompletionChoice['finish_reason'] | null;
  })[];
};

declare function accept<T>(answers: readonly Wire<T>[]): void;

const chat = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion",
    "choices": [
      {
        "index": 0,
        "message": {
          "role": "assistant",
          "content": "Hi",
          "refusal": null,
          "annotations": []
        },
        "logprobs": {
          "content": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            },
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            }
          ],
          "refusal": null
        },
        "finish_reason": "length"
      },
      {
        "index": 1,
        "message": {
          "role": "assistant",
          "content": "Hi",
          "refusal": null,
          "annotations": []
        },
        "logprobs": {
          "content": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            },
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            }
          ],
          "refusal": null
        },
        "finish_reason": "length"
      }
    ],
    "service_tier": "default",
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 4,
      "total_tokens": 9,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    }
  }
] as const;
accept<OpenAI.ChatCompletion>(chat);

const chatWithTools = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion",
    "choices": [
      {
        "index": 0,
        "message": {
          "role": "assistant",
          "content": null,
          "refusal": null,
          "annotations": [],
          "tool_calls": [
            {
              "id": "call_00000000000000000000000000000000",
              "type": "function",
              "function": {
                "name": "look",
                "arguments": "{\"at\":\"x\"}"
              }
            }
          ]
        },
        "logprobs": null,
        "finish_reason": "tool_calls"
      }
    ],
    "service_tier": "default",
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 3,
      "total_tokens": 8,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    }
  }
] as const;
accept<OpenAI.ChatCompletion>(chatWithTools);

const chatStreamed = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {
          "role": "assistant",
          "content": "",
          "refusal": null
        },
        "finish_reason": null,
        "logprobs": null
      }
    ],
    "service_tier": "default",
    "usage": null
  },
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {
          "content": "H"
        },
        "finish_reason": null,
        "logprobs": {
          "content": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            }
          ],
          "refusal": null
        }
      }
    ],
    "service_tier": "default",
    "usage": null
  },
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {
          "content": "i"
        },
        "finish_reason": null,
        "logprobs": {
          "content": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            }
          ],
          "refusal": null
        }
      }
    ],
    "service_tier": "default",
    "usage": null
  },
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {},
        "finish_reason": "length",
        "logprobs": null
      }
    ],
    "service_tier": "default",
    "usage": null
  },
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [],
    "service_tier": "default",
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 2,
      "total_tokens": 7,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    }
  }
] as const;
accept<OpenAI.ChatCompletionChunk>(chatStreamed);

const chatWithToolsStreamed = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {
          "role": "assistant",
          "content": null,
          "refusal": null,
          "tool_calls": [
            {
              "index": 0,
              "id": "call_00000000000000000000000000000000",
              "type": "function",
              "function": {
                "name": "look",
                "arguments": "{\"at\":"
              }
            }
          ]
        },
        "finish_reason": null,
        "logprobs": null
      }
    ],
    "service_tier": "default"
  },
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {
          "tool_calls": [
            {
              "index": 0,
              "function": {
                "arguments": "\"x\"}"
              }
            }
          ]
        },
        "finish_reason": null,
        "logprobs": null
      }
    ],
    "service_tier": "default"
  },
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion.chunk",
    "choices": [
      {
        "index": 0,
        "delta": {},
        "finish_reason": "tool_calls",
        "logprobs": null
      }
    ],
    "service_tier": "default"
  }
] as const;
accept<OpenAI.ChatCompletionChunk>(chatWithToolsStreamed);

const response = [
  {
    "id": "resp_00000000000000000000000000000000",
    "object": "response",
    "created_at": 1767225600,
    "completed_at": null,
    "status": "incomplete",
    "error": null,
    "incomplete_details": {
      "reason": "max_output_tokens"
    },
    "model": "test/model",
    "output": [
      {
        "id": "msg_00000000000000000000000000000000",
        "type": "message",
        "role": "assistant",
        "status": "incomplete",
        "content": [
          {
            "type": "output_text",
            "text": "Hi",
            "annotations": [],
            "logprobs": [
              {
                "token": "H",
                "logprob": -0.5,
                "bytes": [
                  72
                ],
                "top_logprobs": [
                  {
                    "token": "H",
                    "logprob": -0.5,
                    "bytes": [
                      72
                    ]
                  }
                ]
              },
              {
                "token": "H",
                "logprob": -0.5,
                "bytes": [
                  72
                ],
                "top_logprobs": [
                  {
                    "token": "H",
                    "logprob": -0.5,
                    "bytes": [
                      72
                    ]
                  }
                ]
              }
            ]
          }
        ]
      }
    ],
    "usage": {
      "input_tokens": 5,
      "input_tokens_details": {
        "cached_tokens": 0,
        "cache_write_tokens": 0
      },
      "output_tokens": 2,
      "output_tokens_details": {
        "reasoning_tokens": 0
      },
      "total_tokens": 7
    },
    "background": false,
    "instructions": null,
    "max_output_tokens": null,
    "temperature": 1,
    "top_p": 1,
    "top_logprobs": 1,
    "metadata": {},
    "parallel_tool_calls": true,
    "previous_response_id": null,
    "conversation": null,
    "max_tool_calls": null,
    "reasoning": {
      "effort": null,
      "summary": null
    },
    "service_tier": "default",
    "store": true,
    "text": {
      "format": {
        "type": "text"
      },
      "verbosity": "medium"
    },
    "tool_choice": "auto",
    "tools": [],
    "truncation": "disabled"
  }
] as const;
accept<OpenAI.Responses.Response>(response);

const responseWithTools = [
  {
    "id": "resp_00000000000000000000000000000000",
    "object": "response",
    "created_at": 1767225600,
    "completed_at": 1767225600,
    "status": "completed",
    "error": null,
    "incomplete_details": null,
    "model": "test/model",
    "output": [
      {
        "id": "fc_00000000000000000000000000000000",
        "type": "function_call",
        "call_id": "call_00000000000000000000000000000000",
        "name": "look",
        "arguments": "{\"at\":\"x\"}",
        "status": "completed"
      }
    ],
    "usage": {
      "input_tokens": 5,
      "input_tokens_details": {
        "cached_tokens": 0,
        "cache_write_tokens": 0
      },
      "output_tokens": 3,
      "output_tokens_details": {
        "reasoning_tokens": 0
      },
      "total_tokens": 8
    },
    "background": false,
    "instructions": "Be brief.",
    "max_output_tokens": null,
    "temperature": 1,
    "top_p": 1,
    "top_logprobs": 0,
    "metadata": {
      "a": "b"
    },
    "parallel_tool_calls": true,
    "previous_response_id": null,
    "conversation": null,
    "max_tool_calls": null,
    "reasoning": {
      "effort": "low",
      "summary": null
    },
    "service_tier": "default",
    "store": true,
    "text": {
      "format": {
        "type": "json_schema",
        "name": "answer",
        "schema": {
          "type": "object",
          "properties": {},
          "additionalProperties": false
        },
        "strict": null
      },
      "verbosity": "low"
    },
    "tool_choice": {
      "type": "function",
      "name": "look"
    },
    "tools": [
      {
        "type": "function",
        "name": "look",
        "description": null,
        "parameters": {
          "type": "object",
          "properties": {
            "at": {
              "type": "string"
            }
          },
          "required": [
            "at"
          ]
        },
        "strict": true
      }
    ],
    "truncation": "disabled"
  }
] as const;
accept<OpenAI.Responses.Response>(responseWithTools);

const responseStreamed = [
  {
    "type": "response.created",
    "sequence_number": 0,
    "response": {
      "id": "resp_00000000000000000000000000000000",
      "object": "response",
      "created_at": 1767225600,
      "completed_at": null,
      "status": "in_progress",
      "error": null,
      "incomplete_details": null,
      "model": "test/model",
      "output": [],
      "background": false,
      "instructions": null,
      "max_output_tokens": null,
      "temperature": 1,
      "top_p": 1,
      "top_logprobs": 1,
      "metadata": {},
      "parallel_tool_calls": true,
      "previous_response_id": null,
      "conversation": null,
      "max_tool_calls": null,
      "reasoning": {
        "effort": null,
        "summary": null
      },
      "service_tier": "default",
      "store": true,
      "text": {
        "format": {
          "type": "text"
        },
        "verbosity": "medium"
      },
      "tool_choice": "auto",
      "tools": [],
      "truncation": "disabled"
    }
  },
  {
    "type": "response.in_progress",
    "sequence_number": 1,
    "response": {
      "id": "resp_00000000000000000000000000000000",
      "object": "response",
      "created_at": 1767225600,
      "completed_at": null,
      "status": "in_progress",
      "error": null,
      "incomplete_details": null,
      "model": "test/model",
      "output": [],
      "background": false,
      "instructions": null,
      "max_output_tokens": null,
      "temperature": 1,
      "top_p": 1,
      "top_logprobs": 1,
      "metadata": {},
      "parallel_tool_calls": true,
      "previous_response_id": null,
      "conversation": null,
      "max_tool_calls": null,
      "reasoning": {
        "effort": null,
        "summary": null
      },
      "service_tier": "default",
      "store": true,
      "text": {
        "format": {
          "type": "text"
        },
        "verbosity": "medium"
      },
      "tool_choice": "auto",
      "tools": [],
      "truncation": "disabled"
    }
  },
  {
    "type": "response.output_item.added",
    "sequence_number": 2,
    "output_index": 0,
    "item": {
      "id": "msg_00000000000000000000000000000000",
      "type": "message",
      "role": "assistant",
      "status": "in_progress",
      "content": []
    }
  },
  {
    "type": "response.content_part.added",
    "sequence_number": 3,
    "item_id": "msg_00000000000000000000000000000000",
    "output_index": 0,
    "content_index": 0,
    "part": {
      "type": "output_text",
      "text": "",
      "annotations": [],
      "logprobs": []
    }
  },
  {
    "type": "response.output_text.delta",
    "sequence_number": 4,
    "item_id": "msg_00000000000000000000000000000000",
    "output_index": 0,
    "content_index": 0,
    "delta": "H",
    "logprobs": [
      {
        "token": "H",
        "logprob": -0.5,
        "bytes": [
          72
        ],
        "top_logprobs": [
          {
            "token": "H",
            "logprob": -0.5,
            "bytes": [
              72
            ]
          }
        ]
      }
    ]
  },
  {
    "type": "response.output_text.delta",
    "sequence_number": 5,
    "item_id": "msg_00000000000000000000000000000000",
    "output_index": 0,
    "content_index": 0,
    "delta": "i",
    "logprobs": [
      {
        "token": "H",
        "logprob": -0.5,
        "bytes": [
          72
        ],
        "top_logprobs": [
          {
            "token": "H",
            "logprob": -0.5,
            "bytes": [
              72
            ]
          }
        ]
      }
    ]
  },
  {
    "type": "response.output_text.done",
    "sequence_number": 6,
    "item_id": "msg_00000000000000000000000000000000",
    "output_index": 0,
    "content_index": 0,
    "text": "Hi",
    "logprobs": [
      {
        "token": "H",
        "logprob": -0.5,
        "bytes": [
          72
        ],
        "top_logprobs": [
          {
            "token": "H",
            "logprob": -0.5,
            "bytes": [
              72
            ]
          }
        ]
      },
      {
        "token": "H",
        "logprob": -0.5,
        "bytes": [
          72
        ],
        "top_logprobs": [
          {
            "token": "H",
            "logprob": -0.5,
            "bytes": [
              72
            ]
          }
        ]
      }
    ]
  },
  {
    "type": "response.content_part.done",
    "sequence_number": 7,
    "item_id": "msg_00000000000000000000000000000000",
    "output_index": 0,
    "content_index": 0,
    "part": {
      "type": "output_text",
      "text": "Hi",
      "annotations": [],
      "logprobs": [
        {
          "token": "H",
          "logprob": -0.5,
          "bytes": [
            72
          ],
          "top_logprobs": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ]
            }
          ]
        },
        {
          "token": "H",
          "logprob": -0.5,
          "bytes": [
            72
          ],
          "top_logprobs": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ]
            }
          ]
        }
      ]
    }
  },
  {
    "type": "response.output_item.done",
    "sequence_number": 8,
    "output_index": 0,
    "item": {
      "id": "msg_00000000000000000000000000000000",
      "type": "message",
      "role": "assistant",
      "status": "incomplete",
      "content": [
        {
          "type": "output_text",
          "text": "Hi",
          "annotations": [],
          "logprobs": [
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            },
            {
              "token": "H",
              "logprob": -0.5,
              "bytes": [
                72
              ],
              "top_logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ]
                }
              ]
            }
          ]
        }
      ]
    }
  },
  {
    "type": "response.incomplete",
    "sequence_number": 9,
    "response": {
      "id": "resp_00000000000000000000000000000000",
      "object": "response",
      "created_at": 1767225600,
      "completed_at": null,
      "status": "incomplete",
      "error": null,
      "incomplete_details": {
        "reason": "max_output_tokens"
      },
      "model": "test/model",
      "output": [
        {
          "id": "msg_00000000000000000000000000000000",
          "type": "message",
          "role": "assistant",
          "status": "incomplete",
          "content": [
            {
              "type": "output_text",
              "text": "Hi",
              "annotations": [],
              "logprobs": [
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ],
                  "top_logprobs": [
                    {
                      "token": "H",
                      "logprob": -0.5,
                      "bytes": [
                        72
                      ]
                    }
                  ]
                },
                {
                  "token": "H",
                  "logprob": -0.5,
                  "bytes": [
                    72
                  ],
                  "top_logprobs": [
                    {
                      "token": "H",
                      "logprob": -0.5,
                      "bytes": [
                        72
                      ]
                    }
                  ]
                }
              ]
            }
          ]
        }
      ],
      "usage": {
        "input_tokens": 5,
        "input_tokens_details": {
          "cached_tokens": 0,
          "cache_write_tokens": 0
        },
        "output_tokens": 2,
        "output_tokens_details": {
          "reasoning_tokens": 0
        },
        "total_tokens": 7
      },
      "background": false,
      "instructions": null,
      "max_output_tokens": null,
      "temperature": 1,
      "top_p": 1,
      "top_logprobs": 1,
      "metadata": {},
      "parallel_tool_calls": true,
      "previous_response_id": null,
      "conversation": null,
      "max_tool_calls": null,
      "reasoning": {
        "effort": null,
        "summary": null
      },
      "service_tier": "default",
      "store": true,
      "text": {
        "format": {
          "type": "text"
        },
        "verbosity": "medium"
      },
      "tool_choice": "auto",
      "tools": [],
      "truncation": "disabled"
    }
  }
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseStreamed);

const responseWithToolsStreamed = [
  {
    "type": "response.created",
    "sequence_number": 0,
    "response": {
      "id": "resp_00000000000000000000000000000000",
      "object": "response",
      "created_at": 1767225600,
      "completed_at": null,
      "status": "in_progress",
      "error": null,
      "incomplete_details": null,
      "model": "test/model",
      "output": [],
      "background": false,
      "instructions": "Be brief.",
      "max_output_tokens": null,
      "temperature": 1,
      "top_p": 1,
      "top_logprobs": 0,
      "metadata": {
        "a": "b"
      },
      "parallel_tool_calls": true,
      "previous_response_id": null,
      "conversation": null,
      "max_tool_calls": null,
      "reasoning": {
        "effort": "low",
        "summary": null
      },
      "service_tier": "default",
      "store": true,
      "text": {
        "format": {
          "type": "json_schema",
          "name": "answer",
          "schema": {
            "type": "object",
            "properties": {},
            "additionalProperties": false
          },
          "strict": null
        },
        "verbosity": "low"
      },
      "tool_choice": {
        "type": "function",
        "name": "look"
      },
      "tools": [
        {
          "type": "function",
          "name": "look",
          "description": null,
          "parameters": {
            "type": "object",
            "properties": {
              "at": {
                "type": "string"
              }
            },
            "required": [
              "at"
            ]
          },
          "strict": true
        }
      ],
      "truncation": "disabled"
    }
  },
  {
    "type": "response.in_progress",
    "sequence_number": 1,
    "response": {
      "id": "resp_00000000000000000000000000000000",
      "object": "response",
      "created_at": 1767225600,
      "completed_at": null,
      "status": "in_progress",
      "error": null,
      "incomplete_details": null,
      "model": "test/model",
      "output": [],
      "background": false,
      "instructions": "Be brief.",
      "max_output_tokens": null,
      "temperature": 1,
      "top_p": 1,
      "top_logprobs": 0,
      "metadata": {
        "a": "b"
      },
      "parallel_tool_calls": true,
      "previous_response_id": null,
      "conversation": null,
      "max_tool_calls": null,
      "reasoning": {
        "effort": "low",
        "summary": null
      },
      "service_tier": "default",
      "store": true,
      "text": {
        "format": {
          "type": "json_schema",
          "name": "answer",
          "schema": {
            "type": "object",
            "properties": {},
            "additionalProperties": false
          },
          "strict": null
        },
        "verbosity": "low"
      },
      "tool_choice": {
        "type": "function",
        "name": "look"
      },
      "tools": [
        {
          "type": "function",
          "name": "look",
          "description": null,
          "parameters": {
            "type": "object",
            "properties": {
              "at": {
                "type": "string"
              }
            },
            "required": [
              "at"
            ]
          },
          "strict": true
        }
      ],
      "truncation": "disabled"
    }
  },
  {
    "type": "response.output_item.added",
    "sequence_number": 2,
    "output_index": 0,
    "item": {
      "id": "fc_00000000000000000000000000000000",
      "type": "function_call",
      "call_id": "call_00000000000000000000000000000000",
      "name": "look",
      "arguments": "",
      "status": "in_progress"
    }
  },
  {
    "type": "response.function_call_arguments.delta",
    "sequence_number": 3,
    "item_id": "fc_00000000000000000000000000000000",
    "output_index": 0,
    "delta": "{\"at\":"
  },
  {
    "type": "response.function_call_arguments.delta",
    "sequence_number": 4,
    "item_id": "fc_00000000000000000000000000000000",
    "output_index": 0,
    "delta": "\"x\"}"
  },
  {
    "type": "response.function_call_arguments.done",
    "sequence_number": 5,
    "item_id": "fc_00000000000000000000000000000000",
    "output_index": 0,
    "name": "look",
    "arguments": "{\"at\":\"x\"}"
  },
  {
    "type": "response.output_item.done",
    "sequence_number": 6,
    "output_index": 0,
    "item": {
      "id": "fc_00000000000000000000000000000000",
      "type": "function_call",
      "call_id": "call_00000000000000000000000000000000",
      "name": "look",
      "arguments": "{\"at\":\"x\"}",
      "status": "completed"
    }
  },
  {
    "type": "response.completed",
    "sequence_number": 7,
    "response": {
      "id": "resp_00000000000000000000000000000000",
      "object": "response",
      "created_at": 1767225600,
      "completed_at": 1767225600,
      "status": "completed",
      "error": null,
      "incomplete_details": null,
      "model": "test/model",
      "output": [
        {
          "id": "fc_00000000000000000000000000000000",
          "type": "function_call",
          "call_id": "call_00000000000000000000000000000000",
          "name": "look",
          "arguments": "{\"at\":\"x\"}",
          "status": "completed"
        }
      ],
      "usage": {
        "input_tokens": 5,
        "input_tokens_details": {
          "cached_tokens": 0,
          "cache_write_tokens": 0
        },
        "output_tokens": 3,
        "output_tokens_details": {
          "reasoning_tokens": 0
        },
        "total_tokens": 8
      },
      "background": false,
      "instructions": "Be brief.",
      "max_output_tokens": null,
      "temperature": 1,
      "top_p": 1,
      "top_logprobs": 0,
      "metadata": {
        "a": "b"
      },
      "parallel_tool_calls": true,
      "previous_response_id": null,
      "conversation": null,
      "max_tool_calls": null,
      "reasoning": {
        "effort": "low",
        "summary": null
      },
      "service_tier": "default",
      "store": true,
      "text": {
        "format": {
          "type": "json_schema",
          "name": "answer",
          "schema": {
            "type": "object",
            "properties": {},
            "additionalProperties": false
          },
          "strict": null
        },
        "verbosity": "low"
      },
      "tool_choice": {
        "type": "function",
        "name": "look"
      },
      "tools": [
        {
          "type": "function",
          "name": "look",
          "description": null,
          "parameters": {
            "type": "object",
            "properties": {
              "at": {
                "type": "string"
              }
            },
            "required": [
              "at"
            ]
          },
          "strict": true
        }
      ],
      "truncation": "disabled"
    }
  }
] as const;
accept<OpenAI.Responses.ResponseStreamEvent>(responseWithToolsStreamed);

const responseTokens = [
  {
    "object": "response.input_tokens",
    "input_tokens": 3
  }
] as const;
accept<OpenAI.Responses.InputTokenCountResponse>(responseTokens);

const completion = [
  {
    "id": "cmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "text_completion",
    "choices": [
      {
        "index": 0,
        "text": "Hi",
        "logprobs": {
          "tokens": [
            "H",
            "H"
          ],
          "token_logprobs": [
            -0.5,
            -0.5
          ],
          "top_logprobs": [
            {
              "H": -0.5
            },
            {
              "H": -0.5
            }
          ],
          "text_offset": [
            0,
            1
          ]
        },
        "finish_reason": "length"
      }
    ],
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 2,
      "total_tokens": 7,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    }
  }
] as const;
accept<OpenAI.Completion>(completion);

const completionStreamed = [
  {
    "id": "cmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "text_completion",
    "choices": [
      {
        "index": 0,
        "text": "H",
        "logprobs": {
          "tokens": [
            "H"
          ],
          "token_logprobs": [
            -0.5
          ],
          "top_logprobs": [
            {
              "H": -0.5
            }
          ],
          "text_offset": [
            0
          ]
        },
        "finish_reason": null
      }
    ],
    "usage": null
  },
  {
    "id": "cmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "text_completion",
    "choices": [
      {
        "index": 0,
        "text": "i",
        "logprobs": {
          "tokens": [
            "H"
          ],
          "token_logprobs": [
            -0.5
          ],
          "top_logprobs": [
            {
              "H": -0.5
            }
          ],
          "text_offset": [
            1
          ]
        },
        "finish_reason": null
      }
    ],
    "usage": null
  },
  {
    "id": "cmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "text_completion",
    "choices": [
      {
        "index": 0,
        "text": "",
        "logprobs": {
          "tokens": [],
          "token_logprobs": [],
          "top_logprobs": [],
          "text_offset": []
        },
        "finish_reason": "length"
      }
    ],
    "usage": null
  },
  {
    "id": "cmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "text_completion",
    "choices": [],
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 2,
      "total_tokens": 7,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    }
  }
] as const;
accept<TextChunk>(completionStreamed);

const embeddings = [
  {
    "object": "list",
    "data": [
      {
        "object": "embedding",
        "index": 0,
        "embedding": [
          0.6000000238418579,
          0.800000011920929
        ]
      }
    ],
    "model": "test/model",
    "usage": {
      "prompt_tokens": 1,
      "total_tokens": 1
    }
  }
] as const;
accept<OpenAI.CreateEmbeddingResponse>(embeddings);

const models = [
  {
    "id": "test/model",
    "object": "model",
    "created": 0,
    "owned_by": "svc"
  },
  {
    "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000",
    "object": "model",
    "created": 1767225600,
    "owned_by": "anon-000000"
  },
  {
    "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1",
    "object": "model",
    "created": 1767225600,
    "owned_by": "anon-000000"
  }
] as const;
accept<OpenAI.Model>(models);

const model = [
  {
    "id": "test/model",
    "object": "model",
    "created": 0,
    "owned_by": "svc"
  }
] as const;
accept<OpenAI.Model>(model);

const message = [
  {
    "id": "msg_00000000000000000000000000000000",
    "type": "message",
    "role": "assistant",
    "model": "test/model",
    "content": [
      {
        "type": "text",
        "text": "Hi",
        "citations": null
      }
    ],
    "diagnostics": null,
    "stop_reason": "max_tokens",
    "stop_sequence": null,
    "stop_details": null,
    "container": null,
    "usage": {
      "input_tokens": 5,
      "cache_read_input_tokens": 0,
      "cache_creation_input_tokens": 0,
      "output_tokens": 2,
      "output_tokens_details": {
        "thinking_tokens": 0
      },
      "server_tool_use": null,
      "cache_creation": null,
      "inference_geo": null,
      "service_tier": "standard",
      "speed": null
    }
  }
] as const;
accept<Anthropic.Message>(message);

const messageStopped = [
  {
    "id": "msg_00000000000000000000000000000000",
    "type": "message",
    "role": "assistant",
    "model": "test/model",
    "content": [
      {
        "type": "text",
        "text": "Hi",
        "citations": null
      }
    ],
    "diagnostics": null,
    "stop_reason": "stop_sequence",
    "stop_sequence": "END",
    "stop_details": null,
    "container": null,
    "usage": {
      "input_tokens": 5,
      "cache_read_input_tokens": 0,
      "cache_creation_input_tokens": 0,
      "output_tokens": 2,
      "output_tokens_details": {
        "thinking_tokens": 0
      },
      "server_tool_use": null,
      "cache_creation": null,
      "inference_geo": null,
      "service_tier": "standard",
      "speed": null
    }
  }
] as const;
accept<Anthropic.Message>(messageStopped);

const messageWithTools = [
  {
    "id": "msg_00000000000000000000000000000000",
    "type": "message",
    "role": "assistant",
    "model": "test/model",
    "content": [
      {
        "type": "tool_use",
        "id": "toolu_00000000000000000000000000000000",
        "name": "look",
        "input": {
          "at": "x"
        },
        "caller": {
          "type": "direct"
        }
      }
    ],
    "diagnostics": null,
    "stop_reason": "tool_use",
    "stop_sequence": null,
    "stop_details": null,
    "container": null,
    "usage": {
      "input_tokens": 5,
      "cache_read_input_tokens": 0,
      "cache_creation_input_tokens": 0,
      "output_tokens": 3,
      "output_tokens_details": {
        "thinking_tokens": 0
      },
      "server_tool_use": null,
      "cache_creation": null,
      "inference_geo": null,
      "service_tier": "standard",
      "speed": null
    }
  }
] as const;
accept<Anthropic.Message>(messageWithTools);

const messageStreamed = [
  {
    "type": "message_start",
    "message": {
      "id": "msg_00000000000000000000000000000000",
      "type": "message",
      "role": "assistant",
      "model": "test/model",
      "content": [],
      "diagnostics": null,
      "stop_reason": null,
      "stop_sequence": null,
      "stop_details": null,
      "container": null,
      "usage": {
        "input_tokens": 5,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "output_tokens": 0,
        "output_tokens_details": {
          "thinking_tokens": 0
        },
        "server_tool_use": null,
        "cache_creation": null,
        "inference_geo": null,
        "service_tier": "standard",
        "speed": null
      }
    }
  },
  {
    "type": "content_block_start",
    "index": 0,
    "content_block": {
      "type": "text",
      "text": "",
      "citations": null
    }
  },
  {
    "type": "content_block_delta",
    "index": 0,
    "delta": {
      "type": "text_delta",
      "text": "H"
    }
  },
  {
    "type": "content_block_delta",
    "index": 0,
    "delta": {
      "type": "text_delta",
      "text": "i"
    }
  },
  {
    "type": "content_block_stop",
    "index": 0
  },
  {
    "type": "message_delta",
    "delta": {
      "stop_reason": "max_tokens",
      "stop_sequence": null,
      "stop_details": null,
      "container": null
    },
    "usage": {
      "input_tokens": 5,
      "cache_read_input_tokens": 0,
      "cache_creation_input_tokens": 0,
      "output_tokens": 2,
      "output_tokens_details": {
        "thinking_tokens": 0
      },
      "server_tool_use": null
    }
  },
  {
    "type": "message_stop"
  }
] as const;
accept<Anthropic.RawMessageStreamEvent>(messageStreamed);

const messageWithToolsStreamed = [
  {
    "type": "message_start",
    "message": {
      "id": "msg_00000000000000000000000000000000",
      "type": "message",
      "role": "assistant",
      "model": "test/model",
      "content": [],
      "diagnostics": null,
      "stop_reason": null,
      "stop_sequence": null,
      "stop_details": null,
      "container": null,
      "usage": {
        "input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "output_tokens": 0,
        "output_tokens_details": {
          "thinking_tokens": 0
        },
        "server_tool_use": null,
        "cache_creation": null,
        "inference_geo": null,
        "service_tier": "standard",
        "speed": null
      }
    }
  },
  {
    "type": "content_block_start",
    "index": 0,
    "content_block": {
      "type": "tool_use",
      "id": "toolu_00000000000000000000000000000000",
      "name": "look",
      "input": {},
      "caller": {
        "type": "direct"
      }
    }
  },
  {
    "type": "content_block_delta",
    "index": 0,
    "delta": {
      "type": "input_json_delta",
      "partial_json": "{\"at\":"
    }
  },
  {
    "type": "content_block_delta",
    "index": 0,
    "delta": {
      "type": "input_json_delta",
      "partial_json": "\"x\"}"
    }
  },
  {
    "type": "content_block_stop",
    "index": 0
  },
  {
    "type": "message_delta",
    "delta": {
      "stop_reason": "tool_use",
      "stop_sequence": null,
      "stop_details": null,
      "container": null
    },
    "usage": {
      "input_tokens": 5,
      "cache_read_input_tokens": 0,
      "cache_creation_input_tokens": 0,
      "output_tokens": 3,
      "output_tokens_details": {
        "thinking_tokens": 0
      },
      "server_tool_use": null
    }
  },
  {
    "type": "message_stop"
  }
] as const;
accept<Anthropic.RawMessageStreamEvent>(messageWithToolsStreamed);

const messageTokens = [
  {
    "input_tokens": 3
  }
] as const;
accept<Anthropic.MessageTokensCount>(messageTokens);

const messageRefused = [
  {
    "type": "error",
    "error": {
      "type": "invalid_request_error",
      "message": "`messages` is required."
    },
    "request_id": "00000000-0000-4000-8000-000000000000"
  }
] as const;
accept<Anthropic.ErrorResponse>(messageRefused);

const modelsOfAnthropic = [
  {
    "type": "model",
    "id": "test/model",
    "display_name": "test/model",
    "created_at": "1970-01-01T00:00:00.000Z",
    "lifecycle": "active",
    "line": null,
    "capabilities": null,
    "max_input_tokens": null,
    "max_tokens": null,
    "deprecated_at": null,
    "retires_at": null
  },
  {
    "type": "model",
    "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000",
    "display_name": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000",
    "created_at": "2026-01-01T00:00:00.000Z",
    "lifecycle": "active",
    "line": null,
    "capabilities": null,
    "max_input_tokens": null,
    "max_tokens": null,
    "deprecated_at": null,
    "retires_at": null
  },
  {
    "type": "model",
    "id": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1",
    "display_name": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1",
    "created_at": "2026-01-01T00:00:00.000Z",
    "lifecycle": "active",
    "line": null,
    "capabilities": null,
    "max_input_tokens": null,
    "max_tokens": null,
    "deprecated_at": null,
    "retires_at": null
  }
] as const;
accept<Anthropic.ModelInfo>(modelsOfAnthropic);

const modelOfAnthropic = [
  {
    "type": "model",
    "id": "test/model",
    "display_name": "test/model",
    "created_at": "1970-01-01T00:00:00.000Z",
    "lifecycle": "active",
    "line": null,
    "capabilities": null,
    "max_input_tokens": null,
    "max_tokens": null,
    "deprecated_at": null,
    "retires_at": null
  }
] as const;
accept<Anthropic.ModelInfo>(modelOfAnthropic);

const files = [
  {
    "id": "file-00000000000000000000000000000000",
    "object": "file",
    "bytes": 92,
    "created_at": 1767225600,
    "filename": "requests.jsonl",
    "purpose": "batch",
    "status": "processed",
    "expires_at": 1767225600
  },
  {
    "id": "file-00000000000000000000000000000000",
    "object": "file",
    "bytes": 270,
    "created_at": 1767225600,
    "filename": "train.jsonl",
    "purpose": "fine-tune",
    "status": "processed"
  }
] as const;
accept<OpenAI.FileObject>(files);

const file = [
  {
    "id": "file-00000000000000000000000000000000",
    "object": "file",
    "bytes": 270,
    "created_at": 1767225600,
    "filename": "train.jsonl",
    "purpose": "fine-tune",
    "status": "processed"
  }
] as const;
accept<OpenAI.FileObject>(file);

const jobs = [
  {
    "id": "ftjob-00000000-0000-4000-8000-000000000000",
    "object": "fine_tuning.job",
    "created_at": 1767225600,
    "error": null,
    "fine_tuned_model": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000",
    "finished_at": 1767225600,
    "hyperparameters": {
      "n_epochs": 25,
      "batch_size": 1,
      "learning_rate_multiplier": 1
    },
    "model": "test/model",
    "organization_id": "anon-000000",
    "result_files": [
      "file-results-00000000-0000-4000-8000-000000000000"
    ],
    "seed": 42,
    "status": "succeeded",
    "trained_tokens": 100,
    "training_file": "file-00000000000000000000000000000000",
    "validation_file": null,
    "estimated_finish": null,
    "metadata": {
      "a": "b"
    },
    "method": {
      "type": "supervised",
      "supervised": {
        "hyperparameters": {
          "n_epochs": 25,
          "batch_size": 1,
          "learning_rate_multiplier": 1
        }
      }
    }
  }
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(jobs);

const job = [
  {
    "id": "ftjob-00000000-0000-4000-8000-000000000000",
    "object": "fine_tuning.job",
    "created_at": 1767225600,
    "error": null,
    "fine_tuned_model": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000",
    "finished_at": 1767225600,
    "hyperparameters": {
      "n_epochs": 25,
      "batch_size": 1,
      "learning_rate_multiplier": 1
    },
    "model": "test/model",
    "organization_id": "anon-000000",
    "result_files": [
      "file-results-00000000-0000-4000-8000-000000000000"
    ],
    "seed": 42,
    "status": "succeeded",
    "trained_tokens": 100,
    "training_file": "file-00000000000000000000000000000000",
    "validation_file": null,
    "estimated_finish": null,
    "metadata": {
      "a": "b"
    },
    "method": {
      "type": "supervised",
      "supervised": {
        "hyperparameters": {
          "n_epochs": 25,
          "batch_size": 1,
          "learning_rate_multiplier": 1
        }
      }
    }
  }
] as const;
accept<OpenAI.FineTuning.FineTuningJob>(job);

const jobEvents = [
  {
    "id": "ftevent-00000000-0000-4000-8000-000000000000-6",
    "object": "fine_tuning.job.event",
    "created_at": 1767225600,
    "level": "info",
    "message": "The job has successfully completed.",
    "type": "message",
    "data": {}
  },
  {
    "id": "ftevent-00000000-0000-4000-8000-000000000000-5",
    "object": "fine_tuning.job.event",
    "created_at": 1767225600,
    "level": "info",
    "message": "The adapter is saved.",
    "type": "message",
    "data": {}
  },
  {
    "id": "ftevent-00000000-0000-4000-8000-000000000000-4",
    "object": "fine_tuning.job.event",
    "created_at": 1767225600,
    "level": "info",
    "message": "Step 2, train loss 0.2500",
    "type": "metrics",
    "data": {
      "step": 2,
      "train_loss": 0.25,
      "learning_rate": 0.0002,
      "epoch": 1
    }
  },
  {
    "id": "ftevent-00000000-0000-4000-8000-000000000000-3",
    "object": "fine_tuning.job.event",
    "created_at": 1767225600,
    "level": "info",
    "message": "Checkpoint saved at step 1.",
    "type": "message",
    "data": {}
  },
  {
    "id": "ftevent-00000000-0000-4000-8000-000000000000-2",
    "object": "fine_tuning.job.event",
    "created_at": 1767225600,
    "level": "info",
    "message": "Step 1, train loss 0.5000, valid loss 0.7500",
    "type": "metrics",
    "data": {
      "step": 1,
      "train_loss": 0.5,
      "valid_loss": 0.75,
      "learning_rate": 0.0002,
      "epoch": 0.5
    }
  },
  {
    "id": "ftevent-00000000-0000-4000-8000-000000000000-1",
    "object": "fine_tuning.job.event",
    "created_at": 1767225600,
    "level": "info",
    "message": "Training started: 2 steps.",
    "type": "message",
    "data": {}
  }
] as const;
accept<OpenAI.FineTuning.FineTuningJobEvent>(jobEvents);

const jobCheckpoints = [
  {
    "id": "ftckpt-00000000-0000-4000-8000-000000000000-2",
    "object": "fine_tuning.job.checkpoint",
    "created_at": 1767225600,
    "fine_tuned_model_checkpoint": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000",
    "fine_tuning_job_id": "ftjob-00000000-0000-4000-8000-000000000000",
    "metrics": {
      "step": 2,
      "train_loss": 0.25
    },
    "step_number": 2
  },
  {
    "id": "ftckpt-00000000-0000-4000-8000-000000000000-1",
    "object": "fine_tuning.job.checkpoint",
    "created_at": 1767225600,
    "fine_tuned_model_checkpoint": "ft:test/model:anon-000000:sample:00000000-0000-4000-8000-000000000000:ckpt-step-1",
    "fine_tuning_job_id": "ftjob-00000000-0000-4000-8000-000000000000",
    "metrics": {
      "step": 1,
      "train_loss": 0.5,
      "valid_loss": 0.75
    },
    "step_number": 1
  }
] as const;
accept<OpenAI.FineTuning.Jobs.FineTuningJobCheckpoint>(jobCheckpoints);

const storedResponse = [
  {
    "id": "resp_00000000000000000000000000000000",
    "object": "response",
    "created_at": 1767225600,
    "completed_at": 1767225600,
    "status": "completed",
    "error": null,
    "incomplete_details": null,
    "model": "test/model",
    "output": [
      {
        "id": "fc_00000000000000000000000000000000",
        "type": "function_call",
        "call_id": "call_00000000000000000000000000000000",
        "name": "look",
        "arguments": "{\"at\":\"x\"}",
        "status": "completed"
      }
    ],
    "usage": {
      "input_tokens": 5,
      "input_tokens_details": {
        "cached_tokens": 0,
        "cache_write_tokens": 0
      },
      "output_tokens": 3,
      "output_tokens_details": {
        "reasoning_tokens": 0
      },
      "total_tokens": 8
    },
    "background": false,
    "instructions": "Be brief.",
    "max_output_tokens": null,
    "temperature": 1,
    "top_p": 1,
    "top_logprobs": 0,
    "metadata": {
      "a": "b"
    },
    "parallel_tool_calls": true,
    "previous_response_id": null,
    "conversation": null,
    "max_tool_calls": null,
    "reasoning": {
      "effort": "low",
      "summary": null
    },
    "service_tier": "default",
    "store": true,
    "text": {
      "format": {
        "type": "json_schema",
        "name": "answer",
        "schema": {
          "type": "object",
          "properties": {},
          "additionalProperties": false
        },
        "strict": null
      },
      "verbosity": "low"
    },
    "tool_choice": {
      "type": "function",
      "name": "look"
    },
    "tools": [
      {
        "type": "function",
        "name": "look",
        "description": null,
        "parameters": {
          "type": "object",
          "properties": {
            "at": {
              "type": "string"
            }
          },
          "required": [
            "at"
          ]
        },
        "strict": true
      }
    ],
    "truncation": "disabled"
  }
] as const;
accept<OpenAI.Responses.Response>(storedResponse);

const inputItems = [
  {
    "id": "msg_00000000000000000000000000000000",
    "type": "message",
    "status": "completed",
    "role": "user",
    "content": [
      {
        "type": "input_text",
        "text": "hi"
      }
    ]
  }
] as const;
accept<OpenAI.Responses.ResponseItem>(inputItems);

const conversation = [
  {
    "id": "conv_00000000000000000000000000000000",
    "object": "conversation",
    "created_at": 1767225600,
    "metadata": {}
  }
] as const;
accept<OpenAI.Conversations.Conversation>(conversation);

const storedConversation = [
  {
    "id": "conv_00000000000000000000000000000000",
    "object": "conversation",
    "created_at": 1767225600,
    "metadata": {}
  }
] as const;
accept<OpenAI.Conversations.Conversation>(storedConversation);

const conversationItems = [
  {
    "id": "msg_00000000000000000000000000000000",
    "type": "message",
    "status": "completed",
    "role": "user",
    "content": [
      {
        "type": "input_text",
        "text": "hi"
      }
    ]
  }
] as const;
accept<OpenAI.Conversations.ConversationItem>(conversationItems);

const chatToStore = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion",
    "choices": [
      {
        "index": 0,
        "message": {
          "role": "assistant",
          "content": null,
          "refusal": null,
          "annotations": [],
          "tool_calls": [
            {
              "id": "call_00000000000000000000000000000000",
              "type": "function",
              "function": {
                "name": "look",
                "arguments": "{\"at\":\"x\"}"
              }
            }
          ]
        },
        "logprobs": null,
        "finish_reason": "tool_calls"
      }
    ],
    "service_tier": "default",
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 3,
      "total_tokens": 8,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    }
  }
] as const;
accept<OpenAI.ChatCompletion>(chatToStore);

const storedChats = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion",
    "choices": [
      {
        "index": 0,
        "message": {
          "role": "assistant",
          "content": null,
          "refusal": null,
          "annotations": [],
          "tool_calls": [
            {
              "id": "call_00000000000000000000000000000000",
              "type": "function",
              "function": {
                "name": "look",
                "arguments": "{\"at\":\"x\"}"
              }
            }
          ]
        },
        "logprobs": null,
        "finish_reason": "tool_calls"
      }
    ],
    "service_tier": "default",
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 3,
      "total_tokens": 8,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    },
    "metadata": {}
  }
] as const;
accept<OpenAI.ChatCompletion>(storedChats);

const storedChat = [
  {
    "id": "chatcmpl-00000000000000000000000000000000",
    "created": 1767225600,
    "model": "test/model",
    "system_fingerprint": "fp_6c3c2ebf3845f5e0",
    "object": "chat.completion",
    "choices": [
      {
        "index": 0,
        "message": {
          "role": "assistant",
          "content": null,
          "refusal": null,
          "annotations": [],
          "tool_calls": [
            {
              "id": "call_00000000000000000000000000000000",
              "type": "function",
              "function": {
                "name": "look",
                "arguments": "{\"at\":\"x\"}"
              }
            }
          ]
        },
        "logprobs": null,
        "finish_reason": "tool_calls"
      }
    ],
    "service_tier": "default",
    "usage": {
      "prompt_tokens": 5,
      "completion_tokens": 3,
      "total_tokens": 8,
      "completion_tokens_details": {
        "reasoning_tokens": 0,
        "audio_tokens": 0,
        "accepted_prediction_tokens": 0,
        "rejected_prediction_tokens": 0
      }
    },
    "metadata": {}
  }
] as const;
accept<OpenAI.ChatCompletion>(storedChat);

const batch = [
  {
    "id": "batch_00000000000000000000000000000000",
    "object": "batch",
    "endpoint": "/v1/chat/completions",
    "input_file_id": "file-00000000000000000000000000000000",
    "completion_window": "24h",
    "status": "validating",
    "created_at": 1767225600,
    "expires_at": 1767225600,
    "request_counts": {
      "total": 0,
      "completed": 0,
      "failed": 0
    },
    "metadata": null
  }
] as const;
accept<OpenAI.Batch>(batch);
