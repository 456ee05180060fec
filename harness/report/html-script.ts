/**
 * What the report does in a browser: filters, exchanges that are filled in when a check is opened,
 * copying, links to a check. It asks nothing of any network. It reads only what `html.ts` wrote.
 */
export const script = String.raw`
(() => {
  'use strict';
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const checks = all('.check').map((element) => ({ element, words: null, ...element.dataset }));
  const sections = all('.section[data-section]').map((element) => ({ element, open: element.open }));
  const chosen = { state: new Set(), level: new Set(), listed: new Set(), suite: '', text: '', column: '', area: '' };

  const words = (check) => (check.words ??= check.element.textContent.toLowerCase());
  const fits = (check, terms) =>
    (chosen.state.size === 0 || chosen.state.has(check.state)) &&
    (chosen.level.size === 0 || chosen.level.has(check.level)) &&
    (chosen.listed.size === 0 || chosen.listed.has(check.listed)) &&
    (chosen.suite === '' || chosen.suite === check.suite) &&
    (chosen.column === '' || chosen.column === check.column) &&
    (chosen.area === '' || chosen.area === check.area) &&
    terms.every((term) => words(check).includes(term));

  let narrowed = false;
  function apply() {
    const terms = chosen.text.toLowerCase().split(/\s+/).filter((term) => term !== '');
    const active =
      terms.length + chosen.state.size + chosen.level.size + chosen.listed.size > 0 ||
      chosen.suite + chosen.column + chosen.area !== '';
    let shown = 0;
    for (const check of checks) {
      const fit = fits(check, terms);
      check.element.hidden = !fit;
      if (fit) shown++;
    }
    for (const group of all('.reason')) group.hidden = one('.check:not([hidden])', group) === null;
    for (const { element, open } of sections) {
      const fit = all('.check:not([hidden])', element).length;
      element.hidden = fit === 0;
      one('.count', element).textContent = fit;
      // What a filter has found is to be seen; without one, sections are as they were.
      if (active !== narrowed || active) element.open = active || open;
    }
    narrowed = active;
    one('#nothing').hidden = shown > 0;
    one('#clear').hidden = !active;
    one('#count').textContent = active
      ? shown + ' of ' + checks.length + ' checks'
      : checks.length + ' checks';
    showPlace();
  }

  function showPlace() {
    const place = one('#place');
    const { column, area } = chosen;
    const name = column === '' ? '' : one('th [data-column="' + column + '"]').textContent;
    place.hidden = column + area === '';
    place.textContent = [area, name].filter((part) => part !== '').join(' · ') + ' ✕';
    place.setAttribute('aria-label', 'Remove the filter ' + place.textContent.slice(0, -2));
    for (const button of all('#matrix button')) {
      const { column: itsColumn = '', area: itsArea = '' } = button.dataset;
      const pressed = column + area !== '' && itsColumn === column && itsArea === area;
      button.setAttribute('aria-pressed', String(pressed));
    }
  }

  function clear() {
    chosen.state.clear();
    chosen.level.clear();
    chosen.listed.clear();
    Object.assign(chosen, { suite: '', text: '', column: '', area: '' });
    one('#text').value = '';
    one('#suite').value = '';
    for (const chip of all('[data-filter]')) chip.setAttribute('aria-pressed', 'false');
    apply();
  }

  function toggleChip(chip) {
    const { filter, value } = chip.dataset;
    const pressed = chip.getAttribute('aria-pressed') !== 'true';
    chip.setAttribute('aria-pressed', String(pressed));
    if (pressed) chosen[filter].add(value);
    else chosen[filter].delete(value);
    apply();
  }

  function choosePlace({ column = '', area = '' }) {
    const same = chosen.column === column && chosen.area === area;
    Object.assign(chosen, same ? { column: '', area: '' } : { column, area });
    apply();
    if (!same) one('#checks').scrollIntoView();
  }

  /** Puts the exchange of a check into it. */
  function fill(check) {
    for (const place of all('[data-exchange]', check)) {
      const template = document.getElementById(place.dataset.exchange);
      delete place.dataset.exchange;
      place.replaceChildren(template.content.cloneNode(true));
    }
  }

  async function copy(button) {
    const source = one('.command', button.parentElement);
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      // A page that lies on a disk may be refused the clipboard; selecting is always allowed.
      const selection = getSelection();
      selection.selectAllChildren(source);
      done = document.execCommand('copy');
    }
    button.textContent = done ? 'Copied' : 'Selected';
    one('#said').textContent = done ? 'Copied to the clipboard' : 'Selected: copy it with the keyboard';
    setTimeout(() => {
      button.textContent = 'Copy';
      one('#said').textContent = '';
    }, 2000);
  }

  /** Opens the check, or the section of checks, that the address names. */
  function follow() {
    const element = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (element === null || !element.matches('.check, .section')) return;
    if (element.hidden) clear();
    element.closest('.section').open = true;
    element.open = true;
    element.scrollIntoView();
    one('summary', element).focus({ preventScroll: true });
  }

  document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href^="#"]');
    if (link !== null && link.hash === location.hash) follow();
    const button = target.closest('button');
    if (button === null) return;
    if (button.matches('[data-filter]')) toggleChip(button);
    else if (button.matches('[data-copy]')) copy(button);
    else if (button.closest('#matrix')) choosePlace(button.dataset);
    else if (button.id === 'place') {
      choosePlace(chosen);
      one('#text').focus();
    } else if (button.id === 'clear') {
      clear();
      one('#text').focus();
    } else if (button.id === 'open' || button.id === 'close') {
      const open = button.id === 'open';
      for (const { element } of checks) if (!element.hidden) element.open = open && element.closest('.section').open;
    }
  });
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target.matches('.check') && target.open) fill(target);
    },
    true,
  );
  let waiting;
  one('#text').addEventListener('input', ({ target }) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      chosen.text = target.value;
      apply();
    }, 120);
  });
  one('#suite').addEventListener('change', ({ target }) => {
    chosen.suite = target.value;
    apply();
  });
  one('#filters').addEventListener('submit', (event) => event.preventDefault());
  addEventListener('hashchange', follow);
  follow();
})();
`;
