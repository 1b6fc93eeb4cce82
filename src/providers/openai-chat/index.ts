/**
 * Any OpenAI-compatible endpoint, over streamed chat completions. Loads the openai package: reach this module by
 * `await import(...)`. To check an address without loading it, import `endpoint.ts`.
 */
export { createOpenAiChat } from './source.ts';
export type { OpenAiChatOptions } from './source.ts';
export { readEndpoint } from './endpoint.ts';
export type { Endpoint, EndpointProblem } from './endpoint.ts';
export { quirksOf } from './quirks.ts';
export type { Quirks } from './quirks.ts';
