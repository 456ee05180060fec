/**
 * Script of the live page in a browser: shows the progress of a run as the server tells it, and loads the report at
 * the end. The page embeds the text of this function, so it must not refer to anything outside.
 */
export function watch(): void {
  interface Shown {
    readonly scenarios: number;
    readonly scenariosDone: number;
    readonly requests: number;
    readonly checks: number;
    readonly judged: number;
    readonly failed: number;
    readonly suites: readonly { suite: string; checks: number; judged: number; failed: number }[];
    readonly broken?: readonly {
      readonly id: string;
      readonly state: string;
      readonly expected: string;
      readonly actual: string;
      readonly evidence: {
        request: string;
        outcome: string;
        received?: string;
        curl?: string;
      } | null;
    }[];
  }
  const place = (id: string): HTMLElement => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`The page has no ${id}`);
    return found;
  };
  const made = (name: string, text = '', look = ''): HTMLElement => {
    const element = document.createElement(name);
    element.textContent = text;
    element.className = look;
    return element;
  };
  const [progress, suites, list] = [place('progress'), place('suites'), place('broken')];
  const bar = document.querySelector('progress');
  const shown = new Set<string>();

  function show({ broken = [], ...counts }: Shown): void {
    progress.textContent =
      `${counts.judged} of ${counts.checks} checks judged, ${counts.failed} failed · ` +
      `${counts.scenariosDone} of ${counts.scenarios} scenarios done · ${counts.requests} requests`;
    if (bar !== null) bar.value = counts.judged / Math.max(1, counts.checks);
    suites.replaceChildren(
      ...counts.suites.map(({ suite, checks, judged, failed }) =>
        made(
          'p',
          `${suite}: ${judged} of ${checks}${failed === 0 ? '' : `, ${failed} failed`}`,
          failed > 0 ? 'toned fail' : '',
        ),
      ),
    );
    for (const one of broken) {
      // After a lost connection all are told again.
      if (!shown.has(one.id)) list.append(finding(one));
      shown.add(one.id);
    }
    place('none').hidden = shown.size > 0;
  }

  function finding({
    id,
    state,
    expected,
    actual,
    evidence,
  }: NonNullable<Shown['broken']>[number]): HTMLElement {
    const whole = made('details', '', 'section');
    const summary = made('summary');
    summary.append(made('span', state === 'fail' ? '✗ ' : '! ', `sign ${state}`), made('code', id));
    whole.append(summary, made('p', `${actual}; expected ${expected}`));
    if (evidence === null) return whole;
    whole.append(made('p', `${evidence.request} → ${evidence.outcome}`, 'aside'));
    for (const text of [evidence.received, evidence.curl]) {
      if (text === undefined) continue;
      const verbatim = made('pre', text, 'command');
      verbatim.tabIndex = 0;
      whole.append(verbatim);
    }
    return whole;
  }

  const events = new EventSource('events');
  events.onmessage = ({ data }) => show(JSON.parse(data));
  events.addEventListener('report', () => {
    events.close();
    location.replace('report');
  });
}
