/** Types of the events of a Messages stream. */

export const start = 'message_start';
export const blockStart = 'content_block_start';
export const blockDelta = 'content_block_delta';
export const blockStop = 'content_block_stop';
export const reason = 'message_delta';
export const stop = 'message_stop';
