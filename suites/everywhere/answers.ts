import { type Exchange, isObject, jsonBody, streamEvents } from '../../harness/index.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const objectsOf = new WeakMap<Exchange, readonly JsonObject[]>();

/** The JSON objects that an answer is made of: its body, or what each of its events or frames has. */
export function answerObjects(exchange: Exchange): readonly JsonObject[] {
  let objects = objectsOf.get(exchange);
  if (objects === undefined) {
    const body = jsonBody(exchange);
    const all = body === undefined ? streamEvents(exchange).map(({ json }) => json) : [body];
    objects = all.filter(isObject);
    objectsOf.set(exchange, objects);
  }
  return objects;
}

/** Those that are an answer, or a part of one: of an event of Responses the response in it. */
export function answersIn(exchange: Exchange): readonly JsonObject[] {
  return answerObjects(exchange).map((one) => (isObject(one.response) ? one.response : one));
}

/** The times at which it says that something was made or finished, in whatever unit; of a list, of its entries. */
export function timesIn(exchange: Exchange): readonly number[] {
  return answersIn(exchange).flatMap((answer) => {
    const entries = Array.isArray(answer.data) ? answer.data.filter(isObject) : [];
    return [answer, ...entries].flatMap((one) =>
      [one.created, one.created_at, one.completed_at].filter((time) => typeof time === 'number'),
    );
  });
}
