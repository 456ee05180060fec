import { clientCommandLine } from '../core/client-command.ts';
import type { ClientSubject, RunResult } from '../core/result.ts';
import { alsoAccepted } from '../report/explanation.ts';
import { clientFacts, subjectOf, titleOf } from '../report/subject.ts';
import type { Environment } from './environment.ts';
import { bundleFiles, subjectFileOf } from './files.ts';

/** `REPRODUCE.md`: what this is, how to check it, and how to come to the same result. */
export function reproduction(
  result: RunResult,
  { suite, catalogue, node, os }: Environment,
): string {
  const { verdict, target, seed, strict, startedAt, runId, specification } = result;
  const { client } = target;
  const { noun } = subjectOf(result);
  const subject = subjectFileOf(result);
  const again = `npx ${suite.name}@${suite.version}`;
  return `# ${titleOf(result)}: ${verdict}

${suite.name} ${suite.version} judged this ${noun} on ${startedAt} and found it ${verdict}.
${
  verdict === 'conformant'
    ? 'This bundle is the evidence.'
    : 'This bundle is the evidence. It is not a certificate: only a conformant run is certified.'
}

| | |
|---|---|
${(client === undefined
  ? target.regions.map(({ name, baseUrl }) => [`region ${name}`, baseUrl] as const)
  : clientFacts(client).map(([name, value]) => [name.toLowerCase(), `\`${value}\``] as const)
)
  .map(([name, value]) => `| ${name} | ${value} |`)
  .join('\n')}
${target.headers === undefined ? '' : `| headers | ${target.headers.join(', ')}: of the target file |\n`}${target.singleRegion ? '| single region | yes: nothing between regions was judged |\n' : ''}${alsoAccepted(
  { target },
)
  .map((sentence) => `| note | ${sentence} |\n`)
  .join('')}| run | ${runId} |
| seed | ${seed} |
| strict | ${strict ? 'yes: a SHOULD counts like a MUST' : 'no'} |
| suite | ${suite.version}, SHA-256 ${suite.sha256} |
| catalogue | ${catalogue.checks} checks, SHA-256 ${catalogue.sha256} |
| specification | revision ${specification.revision} of ${specification.date}, SHA-256 ${specification.sha256} |
| made with | Node ${node}, ${os.platform} ${os.release} ${os.arch} |

## Contents
- \`${bundleFiles.report}\`, \`${bundleFiles.html}\`: every verdict, for programs and for people.
- \`${bundleFiles.exchanges}\`: every request and response, byte for byte, with the keys masked${client === undefined ? '' : '; and every start of the client'}.
- \`${subject}\`: what was judged${client === undefined ? ', without its keys' : ', and how it was started'}.
- \`${bundleFiles.environment}\`: what judged.
- \`${bundleFiles.attestation}\`: an in-toto Statement (test result) about all of these files, in a DSSE envelope.
- \`${bundleFiles.sums}\`: the SHA-256 of each file.

## Verify it, without the ${noun}
    ${again} verify . --public-key public.pem

Get the public key from the signer through a channel that you trust: the bundle does not contain it.
This checks every hash and the signature, and then judges the recorded exchanges again: a report that
disagrees with them is rejected. Only the hashes: \`sha256sum --check ${bundleFiles.sums}\`.

## Reproduce the result, with the ${noun}
${client === undefined ? reproducedGateway(again, result) : reproducedClient(suite, result, client)}`;
}

function reproducedGateway(again: string, { seed, strict }: RunResult): string {
  return `Set the variables that \`${bundleFiles.target}\` names to keys of the kind that it describes. Then:

    ${again} run --target ${bundleFiles.target} --seed ${seed}${strict ? ' --strict' : ''}

The same seed sends the same random data. What a model generates, and how long it takes, may differ;
the verdicts do not depend on that.
`;
}

function reproducedClient(
  { name, version }: Environment['suite'],
  { seed, strict }: RunResult,
  client: ClientSubject,
): string {
  const options = `--seed ${seed}${strict ? ' --strict' : ''}`;
  const line = clientCommandLine(client, [options]);
  return `In the folder of the client, where what it needs is installed:

    npx --package ${name}@${version} ${line}

The same seed makes the same prompts. How long the client takes may differ; the verdicts do not depend
on that.
`;
}
