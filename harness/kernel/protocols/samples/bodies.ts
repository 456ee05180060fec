/** Minimal native bodies for tests. */

const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
};

export const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [message],
  usage: {
    ...{ input_tokens: 3, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 2, output_tokens_details: { reasoning_tokens: 0 } },
    total_tokens: 5,
  },
};

export const completion = {
  id: 'chatcmpl_1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};

export const nativeMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hello there' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};

export const candidates = {
  candidates: [
    { content: { role: 'model', parts: [{ text: 'Hello there' }] }, finishReason: 'STOP' },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
};

export const decision = {
  model: 'm',
  answers: { spam: { type: 'noul', noul: 0.1 } },
  usage: { input_tokens: 3, output_tokens: 1 },
};

export const openAiError = {
  error: { message: 'no', type: 'invalid_request_error', param: null, code: null },
};
