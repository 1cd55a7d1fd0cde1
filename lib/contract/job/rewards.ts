// What a run that learns from rewards asks for at each step, and what it gets.

/** An answer that the model gave to a prompt. */
export interface RewardedAnswer {
  text: string;
  /** As in a chat completion. */
  toolCalls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

/** The answers to one prompt, which are compared with each other. */
export interface RewardGroup {
  /** The place of the prompt among the rows of the data set, from 0. */
  row: number;
  /** The row as it is in the data set. */
  item: Record<string, unknown>;
  /** The prompt. */
  messages: readonly { role: string; [field: string]: unknown }[];
  answers: RewardedAnswer[];
}

export interface RewardRequest {
  step: number;
  groups: RewardGroup[];
}

/**
 * What a worker elsewhere asks: it knows the rows by their places alone, and with PyTorch the answers as tokens, without those
 * of their prompts.
 */
export interface RewardQuestion {
  step: number;
  /** Which of several questions about the same step, from 0. Default: the first or only one. */
  part?: number;
  groups: { row: number; answers: (RewardedAnswer | { ids: number[] })[] }[];
}

/** `parts`: what it was computed from, by name. An answer with an error has no reward, and is left out of its group. */
export type Rewarded = { reward: number; parts?: Record<string, number> } | { error: string };

/** For each answer of each group, in their order. */
export interface RewardResponse {
  rewards: Rewarded[][];
}
