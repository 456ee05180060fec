import type { Feature } from '../../kernel/cli/index.ts';

export const feature: Feature = {
  commands: {
    'Certificates:': {
      certify: async (terminal, exit) =>
        (await import('./commands/certify.ts')).certifyCommand(terminal, exit),
      verify: async (terminal, exit) =>
        (await import('./commands/verify.ts')).verifyCommand(terminal, exit),
    },
  },
  verifyBundle: async (folder, publicKey) => {
    const { demandsOf, listed, verifyBundle } = await import('./index.ts');
    const { problemInWords, worthOf } = await import('./list/listed.ts');
    const verification = await verifyBundle(folder, demandsOf({ publicKey }));
    const entry = listed(folder, verification, null);
    const result = verification.level === null ? null : verification.bundle.report;
    return { worth: worthOf(entry), why: problemInWords(entry), result };
  },
};
