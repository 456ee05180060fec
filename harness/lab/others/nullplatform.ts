import { stringify } from 'yaml';
import { claims, type OtherGateway } from './gateway.ts';

/** A gateway with plugins, which asks its providers over Chat Completions. It checks one key of its own. */
export const nullplatform: OtherGateway = {
  name: '@nullplatform/llm-gateway',
  short: 'nullplatform',
  version: '2.0.11',
  // Overrides a declared version that the registry does not have.
  overrides: { '@nullplatform/llm-gateway-sdk': '2.0.2' },
  asksProvider: true,
  prepare: ({ port, upstream }) => {
    const baseUrl = `${upstream.regions[0]?.baseUrl}/v1`;
    const config = { baseUrl, apiKey: upstream.keys.owner, model: 'ts-chat' };
    const model = { name: 'ts-chat', isDefault: true, provider: { type: 'openai', config } };
    return {
      program: 'dist/cli.js',
      parameters: ['start', '--config', 'config.yaml'],
      files: {
        'config.yaml': stringify({
          server: { host: '127.0.0.1', port },
          models: [model],
          plugins: [
            {
              name: 'keys',
              type: 'basic-apikey-auth',
              priority: 1,
              config: { apikeys: ['sk-owner-1'] },
            },
            { name: 'router', type: 'model-router', priority: 2, config: { model: 'ts-chat' } },
          ],
          logging: { level: 'error' },
        }),
      },
      path: '/openai',
      target: {
        keys: { owner: 'sk-owner-1' },
        models: [claims('ts-chat', ['chat'], ['stream', 'tools'])],
      },
    };
  },
};
