import { routed, rule } from '../../harness/features/provider/index.ts';
import { Inconclusive, outcome } from '../../harness/index.ts';

rule('provider/routing.routed', routed, ({ back, front, route }) => {
  if (back.length > 0) return;
  const status = front.response?.status ?? 0;
  const advice =
    status >= 200 && status < 300
      ? 'Somebody else serves it, or a cache does: the model has to go to the listener of the target file'
      : 'Check that the gateway has the model, and the address and the key of the listener';
  throw new Inconclusive(
    `nobody asked the provider of ${route.model} (not routed): the front answered ${outcome(front)}. ${advice}`,
    null,
  );
});
