/**
 * Script of the report in a browser: filters, loading of exchanges when a check is opened, copy buttons, links to a
 * check. It uses no network, and reads only the output of `page.ts`. The report embeds the text of this function,
 * so it must not refer to anything outside.
 */
export function page(): void {
  const one = <Kind extends HTMLElement>(selector: string, root: ParentNode = document): Kind => {
    const element = root.querySelector<Kind>(selector);
    if (element === null) throw new Error(`The page has no ${selector}`);
    return element;
  };
  const all = <Kind extends HTMLElement>(
    selector: string,
    root: ParentNode = document,
  ): readonly Kind[] => [...root.querySelectorAll<Kind>(selector)];

  /** A check of the page, with the properties that filters use. */
  interface Check {
    readonly element: HTMLDetailsElement;
    /** Number of checks in its line. */
    readonly count: number;
    /** Its area, which its id has before the dot unless the page says otherwise. */
    readonly area: string;
    /** Text of the check in lower case, once it has been searched. Null before. */
    words: string | null;
  }
  const checks = all<HTMLDetailsElement>('.check').map(
    (element): Check => ({
      element,
      count: Number(element.dataset.checks ?? 1),
      area: element.dataset.area ?? (one('.id', element).textContent ?? '').split('.')[0] ?? '',
      words: null,
    }),
  );
  const sections = all<HTMLDetailsElement>('.section[data-section]').map((element) => ({
    element,
    open: element.open,
  }));
  const text = one<HTMLInputElement>('#text');
  const suite = one<HTMLSelectElement>('#suite');
  const filtering = one<HTMLDetailsElement>('#filtering');
  // On a phone the controls would take the first screen.
  filtering.open = innerWidth > 768;

  /**
   * Filters by kind. A check matches if it has one of the selected values of each kind. A kind without a selection
   * matches all.
   */
  const kinds = ['state', 'level', 'listed'] as const;
  type Kind = (typeof kinds)[number];
  const chosen: Readonly<Record<Kind, Set<string>>> = {
    state: new Set(),
    level: new Set(),
    listed: new Set(),
  };
  /** The selected cell, row or column of the matrix. Empty values match all. */
  let place = { column: '', area: '' };

  function fits({ element, area, words }: Check, terms: readonly string[]): boolean {
    const { dataset } = element;
    const of = {
      state: element.closest<HTMLElement>('.section')?.dataset.section ?? '',
      level: dataset.level ?? 'MUST',
      listed: dataset.listed ?? '',
    };
    return (
      kinds.every((kind) => chosen[kind].size === 0 || chosen[kind].has(of[kind])) &&
      (suite.value === '' || suite.value === area.split('/')[0]) &&
      (place.column === '' || dataset.column?.split(' ').includes(place.column) === true) &&
      (place.area === '' || place.area === area) &&
      terms.every((term) => words?.includes(term))
    );
  }

  /** Text that a search uses, without the parts that name other checks. */
  function wordsOf(check: HTMLElement): string {
    const others = all('[data-other]', check).map((part) => part.textContent ?? '');
    const whole = check.textContent ?? '';
    return others.reduce((words, part) => words.replace(part, ''), whole).toLowerCase();
  }

  const countOf = (some: readonly Check[]): number =>
    some.reduce((sum, { count }) => sum + count, 0);

  let narrowed = false;
  function apply(): void {
    const terms = text.value
      .toLowerCase()
      .split(/\s+/)
      .filter((term) => term !== '');
    const active =
      terms.length > 0 ||
      kinds.some((kind) => chosen[kind].size > 0) ||
      suite.value + place.column + place.area !== '';
    let shown = 0;
    for (const check of checks) {
      if (terms.length > 0) check.words ??= wordsOf(check.element);
      const fit = fits(check, terms);
      check.element.hidden = !fit;
      if (fit) shown += check.count;
    }
    for (const group of all('.reason, .cause')) {
      group.hidden = group.querySelector('.check:not([hidden])') === null;
    }
    for (const { element, open } of sections) {
      const fit = countOf(
        checks.filter((check) => !check.element.hidden && element.contains(check.element)),
      );
      element.hidden = fit === 0;
      one('.count', element).textContent = String(fit);
      // An active filter opens the sections with matches. Without one, sections get back their state.
      if (active !== narrowed || active) element.open = active || open;
    }
    narrowed = active;
    if (active) filtering.open = true;
    one('#nothing').hidden = shown > 0;
    one('#clear').hidden = !active;
    one('#count').textContent = active
      ? `${shown} of ${countOf(checks)} checks`
      : `${countOf(checks)} checks`;
    showPlace();
  }

  function showPlace(): void {
    const chip = one('#place');
    const { column, area } = place;
    const name = column === '' ? '' : one(`th [data-column="${column}"]`).textContent;
    const words = [area, name].filter((part) => part !== '').join(' · ');
    chip.hidden = words === '';
    chip.textContent = `${words} ✕`;
    chip.setAttribute('aria-label', `Remove the filter ${words}`);
    for (const button of all('#matrix button')) {
      const { column: itsColumn = '', area: itsArea = '' } = button.dataset;
      const pressed = words !== '' && itsColumn === column && itsArea === area;
      button.setAttribute('aria-pressed', String(pressed));
    }
  }

  function clear(): void {
    for (const kind of kinds) chosen[kind].clear();
    place = { column: '', area: '' };
    text.value = '';
    suite.value = '';
    for (const chip of all('[data-filter]')) chip.setAttribute('aria-pressed', 'false');
    apply();
  }

  function toggleChip(chip: HTMLElement): void {
    const kind = kinds.find((known) => known === chip.dataset.filter);
    const { value } = chip.dataset;
    if (kind === undefined || value === undefined) return;
    const pressed = chip.getAttribute('aria-pressed') !== 'true';
    chip.setAttribute('aria-pressed', String(pressed));
    if (pressed) chosen[kind].add(value);
    else chosen[kind].delete(value);
    apply();
  }

  function choosePlace({ column = '', area = '' }: DOMStringMap): void {
    const same = place.column === column && place.area === area;
    place = same ? { column: '', area: '' } : { column, area };
    apply();
    if (!same) one('#checks').scrollIntoView();
  }

  /** Inserts the exchange of a check, and marks the check's findings in it. */
  function fill(check: HTMLElement): void {
    for (const slot of all('[data-exchange]', check)) {
      const source = document.getElementById(slot.dataset.exchange ?? '');
      delete slot.dataset.exchange;
      if (source === null) continue;
      const template = document.createElement('template');
      template.innerHTML = String(JSON.parse(source.textContent ?? '""'));
      const places = (slot.dataset.places ?? '').split(' ');
      for (const mark of template.content.querySelectorAll<HTMLElement>('[data-place]')) {
        const place = mark.dataset.place ?? '';
        // The last events of some streams hold the answer in a member.
        if (places.includes(place) || places.includes(place.replace(/^response\./, ''))) continue;
        if (mark.tagName === 'MARK') mark.replaceWith(...mark.childNodes);
        else if (mark.classList.contains('absent')) mark.remove();
        else mark.classList.remove('wrong');
      }
      slot.replaceChildren(template.content);
      // Opens what has a mark, and scrolls a long body to it.
      const marks = all('mark, .wrong', slot);
      for (const mark of marks) {
        for (let one = mark.closest('details'); one !== null && slot.contains(one); ) {
          one.open = true;
          one = one.parentElement?.closest('details') ?? null;
        }
      }
      for (const mark of marks) {
        const box = mark.closest('pre');
        if (box !== null) box.scrollTop = mark.offsetTop - box.offsetTop - 40;
      }
    }
  }

  /** Shows an exchange that another check shows, too. */
  function showHere(button: HTMLElement): void {
    const slot = button.closest<HTMLElement>('[data-later]');
    const check = button.closest<HTMLElement>('.check');
    if (slot === null || check === null) return;
    slot.dataset.exchange = slot.dataset.later ?? '';
    delete slot.dataset.later;
    fill(check);
    one('summary', check).focus({ preventScroll: true });
  }

  async function copy(button: HTMLElement): Promise<void> {
    const source = one('.command', button.parentElement ?? document);
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
    } catch {
      // A local file may have no access to the clipboard, but can always select text.
      getSelection()?.selectAllChildren(source);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Selected';
    one('#said').textContent = done
      ? 'Copied to the clipboard'
      : 'Selected: copy it with the keyboard';
    setTimeout(() => {
      button.textContent = 'Copy';
      one('#said').textContent = '';
    }, 2000);
  }

  /** Opens the check or the section that the address names. */
  function follow(): void {
    const element = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = element?.closest('details');
    if (element === null || details == null || !details.matches('.check, .section')) return;
    if (details.hidden) clear();
    const section = details.closest<HTMLDetailsElement>('.section');
    if (section !== null) section.open = true;
    details.open = true;
    element.scrollIntoView();
    if (element === details) one('summary', details).focus({ preventScroll: true });
  }

  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    const link = target.closest<HTMLAnchorElement>('a[href^="#"]');
    if (link !== null && link.hash === location.hash) follow();
    const button = target.closest('button');
    if (button === null) return;
    if (button.matches('[data-filter]')) toggleChip(button);
    else if (button.matches('[data-copy]')) void copy(button);
    else if (button.matches('[data-show]')) showHere(button);
    else if (button.closest('#matrix') !== null) choosePlace(button.dataset);
    else if (button.id === 'place') {
      choosePlace(place);
      text.focus();
    } else if (button.id === 'clear') {
      clear();
      text.focus();
    } else if (button.id === 'open' || button.id === 'close') {
      const open = button.id === 'open';
      for (const { element } of checks) {
        const isInside = element.closest<HTMLDetailsElement>('.section')?.open === true;
        if (!element.hidden) element.open = open && isInside;
      }
    }
  });
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.matches('.check') && target.open) {
        fill(target);
      }
    },
    true,
  );
  let waiting: number | undefined;
  text.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  suite.addEventListener('change', apply);
  one('#filters').addEventListener('submit', (event) => event.preventDefault());
  for (const button of all('[data-copy]')) button.hidden = false;
  addEventListener('hashchange', follow);
  follow();
}
