import { askedAgain, type Rejudged, type RejudgeOptions } from '../../kernel/engine/index.ts';
import { type Recording, readRecording } from '../../kernel/recordings/index.ts';
import { Observation } from './observation.ts';

export async function rejudgeObserved(
  from: string | Recording,
  options: RejudgeOptions = {},
): Promise<Rejudged> {
  const { header, exchanges, cut } = typeof from === 'string' ? readRecording(from) : from;
  const observation = await Observation.of({
    target: header.target,
    source: header.observed ?? 'proxy',
    ...askedAgain(options, header),
    again: header,
  });
  for (const exchange of exchanges) {
    observation.add(exchange);
    await observation.trim();
  }
  const result = await observation.end();
  return { result, header, exchanges: exchanges.length, cut, unasked: [], lacksExchanges: false };
}
