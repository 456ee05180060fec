import type { RunResult } from '../core/result.ts';
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
    : 'This bundle is the evidence. It is no certificate: only a conformant run is one.'
}

| | |
|---|---|
${target.regions.map(({ name, baseUrl }) => `| region ${name} | ${baseUrl} |`).join('\n')}
| run | ${runId} |
| seed | ${seed} |
| strict | ${strict ? 'yes: a SHOULD counts like a MUST' : 'no'} |
| suite | ${suite.version}, SHA-256 ${suite.sha256} |
| catalogue | ${catalogue.checks} checks, SHA-256 ${catalogue.sha256} |
| specification | revision ${specification.revision} of ${specification.date}, SHA-256 ${specification.sha256} |
| made with | Node ${node}, ${os.platform} ${os.release} ${os.arch} |

## What is in it
- \`${bundleFiles.report}\`, \`${bundleFiles.html}\`: every verdict, for programs and for people.
- \`${bundleFiles.exchanges}\`: every request and answer, byte for byte, with the keys masked.
- \`${bundleFiles.target}\`: what was judged, without its keys.
- \`${bundleFiles.environment}\`: what judged.
- \`${bundleFiles.attestation}\`: an in-toto Statement (test result) about all of these files, in a DSSE envelope.
- \`${bundleFiles.sums}\`: the SHA-256 of each file.

## Check it, without the gateway
    ${again} verify . --public-key public.pem

The public key comes from whoever signed it, by a way that you trust: a bundle does not bring its own.
This looks at every hash and at the signature, and then judges the recorded exchanges again: a report
that says something else than they do is rejected. The hashes alone: \`sha256sum --check ${bundleFiles.sums}\`.

## Come to the same result, with the gateway
Set the variables that \`${bundleFiles.target}\` names to keys of the kind that it describes. Then:

    ${again} run --target ${bundleFiles.target} --seed ${seed}${strict ? ' --strict' : ''}

The same seed sends the same random data. What a model answers, and how long it takes, may differ;
what is judged does not depend on it.
`;
}
