// Functions that models call: what a conversation's calls are, and whether they fit the tools that it has.
export { type CallFault, findCallFaults } from './call-faults.js';
export { type Call, readCalls, toToolCall, writeCalls } from './calls.js';
export { createFit, openTools } from './tools.js';
