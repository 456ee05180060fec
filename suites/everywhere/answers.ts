import { answerOf, type Exchange, json, remembered } from '../../harness/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the JSON objects of an answer: its body, or the data of its events or frames. */
export const answerObjects = remembered((exchange): readonly JsonObject[] => {
  const body = answerOf(exchange).value;
  const all = body === undefined ? answerOf(exchange).events.map(({ json }) => json) : [body];
  return all.filter(json.isObject);
});

/** Returns answers, or parts of answers, among the JSON objects. For an event of Responses, this is its `response`. */
export const answersIn = remembered((exchange): readonly JsonObject[] =>
  answerObjects(exchange).map((one) => (json.isObject(one.response) ? one.response : one)),
);

/** Returns the creation and completion times in an answer, in any unit; for a list, those of its entries. */
export function timesIn(exchange: Exchange): readonly number[] {
  return answersIn(exchange).flatMap((answer) => {
    const entries = Array.isArray(answer.data) ? answer.data.filter(json.isObject) : [];
    return [answer, ...entries].flatMap((one) =>
      [one.created, one.created_at, one.completed_at].filter((time) => typeof time === 'number'),
    );
  });
}
