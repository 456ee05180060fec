/**
 * Script of a board in a browser: shows the requirements that have all words of a search. The page embeds the text of
 * this function, so it must not refer to anything outside.
 */
export function search(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const said = document.querySelector('#found');
  const table = document.querySelector('#requirements tbody');
  if (field === null || said === null || table === null) throw new Error('The page has no search');
  // The sentence of a requirement is a row of its own, below it.
  const rows = [...table.querySelectorAll<HTMLTableRowElement>('tr:not(.below)')].map((row) => {
    const below = row.nextElementSibling;
    const own =
      below instanceof HTMLTableRowElement && below.className === 'below' ? [row, below] : [row];
    const words = own
      .map(({ textContent }) => textContent ?? '')
      .join(' ')
      .toLowerCase();
    return { own, words };
  });
  field.closest('form')?.removeAttribute('hidden');
  field.addEventListener('input', () => {
    const terms = field.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { own, words } of rows) {
      const fits = terms.every((term) => words.includes(term));
      for (const row of own) row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    said.textContent = `${shown} of ${rows.length} requirements`;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === field) return;
    event.preventDefault();
    field.focus();
  });
}
