import {
  type Exchange,
  isObject,
  jsonBody,
  remembered,
  streamEvents,
} from '../../harness/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON objects that an answer is made of: its body, or what each of its events or frames has. */
export const answerObjects = remembered((exchange): readonly JsonObject[] => {
  const body = jsonBody(exchange);
  const all = body === undefined ? streamEvents(exchange).map(({ json }) => json) : [body];
  return all.filter(isObject);
});

/** Answers, or parts of answers, among the JSON objects. For an event of Responses, the response in it. */
export const answersIn = remembered((exchange): readonly JsonObject[] =>
  answerObjects(exchange).map((one) => (isObject(one.response) ? one.response : one)),
);

/** The times at which it says that something was made or finished, in whatever unit; of a list, of its entries. */
export function timesIn(exchange: Exchange): readonly number[] {
  return answersIn(exchange).flatMap((answer) => {
    const entries = Array.isArray(answer.data) ? answer.data.filter(isObject) : [];
    return [answer, ...entries].flatMap((one) =>
      [one.created, one.created_at, one.completed_at].filter((time) => typeof time === 'number'),
    );
  });
}
