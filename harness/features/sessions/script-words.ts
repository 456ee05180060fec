import type { Beside, Framing, Script, ScriptedAnswer } from './script.ts';

/** Returns the behaviour of the gateway in words that follow "the gateway". */
export function scriptInWords(script: Script): string {
  const parts = [
    ...(script.answer === undefined ? [] : [answerInWords(script.answer)]),
    ...(script.framing === undefined ? [] : [framingWords[script.framing]]),
    ...(script.odd === true ? ['serves ids that have to be encoded in a path'] : []),
    ...(script.beside === undefined ? [] : [`puts ${besideWords[script.beside]} beside the text`]),
  ];
  return parts.length === 0 ? 'serves everything' : parts.join(', and ');
}

function answerInWords(answer: ScriptedAnswer): string {
  switch (answer.kind) {
    case 'reset':
      return 'resets the connection once it has the request';
    case 'no-answer':
      return 'takes the request and does not answer';
    case 'cut-body':
      return 'cuts the connection in the middle of the body';
    case 'cut-stream':
      return `cuts the connection after ${answer.events} events of the stream`;
    case 'stall':
      return `sends ${answer.events} events of the stream, and then nothing`;
    case 'ends-early':
      return `ends the stream after ${answer.events} events, without its last one`;
    case 'error-in-stream':
      return `sends ${answer.events} events of the stream, and then an error`;
    case 'failed-in-stream':
      return `sends ${answer.events} events of the stream, and then that the response failed`;
    case 'status': {
      const { status, retryAfter, html } = answer;
      const page = html === true ? ' with a page in HTML' : '';
      const after = retryAfter === undefined ? '' : `, and \`Retry-After: ${retryAfter}\``;
      return `answers ${status}${page}${after}`;
    }
    case 'redirect':
      return `redirects to another host with ${answer.status}`;
    case 'refused':
      return 'refuses the first connection';
  }
}

const besideWords: Readonly<Record<Beside, string>> = {
  unknown: 'content of a type that nobody knows',
  thoughts: 'thoughts of the model',
};

const framingWords: Readonly<Record<Framing, string>> = {
  whole: 'sends the stream in one write',
  bytes: 'sends the stream byte by byte',
  joined: 'sends the end of each event with the beginning of the next',
  crlf: 'ends the lines of the stream with CR LF',
  comments: 'sends comments between the events',
  unknown: 'sends events and members that nobody knows besides those that count',
  lookalike:
    'sends events and members besides those that count that look like those of another protocol',
};
