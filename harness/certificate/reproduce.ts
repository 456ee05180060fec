import type { RunResult } from '../core/result.ts';
import { alsoAccepted } from '../report/explanation.ts';
import type { Environment } from './environment.ts';
import { bundleFiles } from './files.ts';

/** `REPRODUCE.md`: what this is, how to check it, and how to come to the same result. */
export function reproduction(
  { verdict, target, seed, strict, startedAt, runId, specification }: RunResult,
  { suite, catalogue, node, os }: Environment,
): string {
  const again = `npx ${suite.name}@${suite.version}`;
  return `# ${target.name}: ${verdict}

${suite.name} ${suite.version} judged this gateway on ${startedAt} and found it ${verdict}.
${
  verdict === 'conformant'
    ? 'This bundle is the evidence.'
    : 'This bundle is the evidence. It is not a certificate: only a conformant run is certified.'
}

| | |
|---|---|
${target.regions.map(({ name, baseUrl }) => `| region ${name} | ${baseUrl} |`).join('\n')}
${target.singleRegion ? '| single region | yes: nothing between regions was judged |\n' : ''}${alsoAccepted(
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
- \`${bundleFiles.exchanges}\`: every request and response, byte for byte, with the keys masked.
- \`${bundleFiles.target}\`: what was judged, without its keys.
- \`${bundleFiles.environment}\`: what judged.
- \`${bundleFiles.attestation}\`: an in-toto Statement (test result) about all of these files, in a DSSE envelope.
- \`${bundleFiles.sums}\`: the SHA-256 of each file.

## Verify it, without the gateway
    ${again} verify . --public-key public.pem

Get the public key from the signer through a channel that you trust: the bundle does not contain it.
This checks every hash and the signature, and then judges the recorded exchanges again: a report that
disagrees with them is rejected. Only the hashes: \`sha256sum --check ${bundleFiles.sums}\`.

## Reproduce the result, with the gateway
Set the variables that \`${bundleFiles.target}\` names to keys of the kind that it describes. Then:

    ${again} run --target ${bundleFiles.target} --seed ${seed}${strict ? ' --strict' : ''}

The same seed sends the same random data. What a model generates, and how long it takes, may differ;
the verdicts do not depend on that.
`;
}
