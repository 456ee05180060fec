import { insist } from '../admission.ts';
import type { Answer, Call } from '../call.ts';
import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { Refusal } from '../refusal.ts';

const defaultPageSize = 50;
const largestPageSize = 1000;

/** `GET /v1beta/models`: the models for the generative-content protocol, page by page. */
export function listCatalog(call: Call, key: Key): Answer {
  const models = call.gateway.seams.policy.listedModels(key, call);
  const start = readPageToken(call);
  const end = start + readPageSize(call);
  return {
    kind: 'models.catalog',
    body: {
      models: models.slice(start, end).map(catalogEntry),
      nextPageToken: end < models.length ? pageToken(end) : undefined,
    },
  };
}

export function catalogEntry({ id, supports }: FixtureModel): JsonObject {
  const methods = ['generateContent'];
  if (supports.includes('stream')) methods.push('streamGenerateContent');
  if (supports.includes('vendorB-count')) methods.push('countTokens');
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName: id,
    description: 'A fixture model of the reference gateway.',
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: methods,
  };
}

/** Reads the page size: 0 or none means the default, and the maximum caps larger values. */
function readPageSize(call: Call): number {
  const text = call.query.get('pageSize');
  if (text === null || text === '0') return defaultPageSize;
  const size = Number(text);
  if (Number.isInteger(size) && size > 0) return Math.min(size, largestPageSize);
  insist(
    call,
    new Refusal('invalid-value', "'pageSize' has to be a positive integer.", 'pageSize'),
  );
  return defaultPageSize;
}

/** Returns the token for the start of the next page, opaque to the client. */
function pageToken(start: number): string {
  return Buffer.from(`start=${start}`).toString('base64url');
}

function readPageToken(call: Call): number {
  const token = call.query.get('pageToken');
  if (token === null || token === '') return 0;
  const start = /^start=(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (start !== undefined) return Number(start);
  insist(
    call,
    new Refusal('invalid-value', "'pageToken' is none that this list has given.", 'pageToken'),
  );
  return 0;
}
