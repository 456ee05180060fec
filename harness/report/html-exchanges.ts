import type { ExchangeView } from './exchange-view.ts';
import { exchangeHalves } from './html-exchange.ts';
import { html, type Markup } from './html-markup.ts';

/** Characters that all exchanges of a report may take together: what a browser opens at once. */
const room = 12_000_000;

/** Where the exchange of a finding is, or why it is not in the report. */
export type Shelf =
  | { readonly kind: 'here'; readonly id: string }
  | { readonly kind: 'unrecorded' }
  | { readonly kind: 'no-room' };

/**
 * The exchanges of a report, each once however many checks judged it. They are templates, which a
 * browser does not lay out until a reader opens the check.
 */
export class ExchangeShelf {
  readonly #views: ReadonlyMap<string, ExchangeView>;
  readonly #shelved = new Map<string, Shelf>();
  readonly #templates: Markup[] = [];
  #taken = 0;

  /** @param views by the keys that evidence names */
  constructor(views: ReadonlyMap<string, ExchangeView>) {
    this.#views = views;
  }

  /** Puts the exchange of this key on the shelf, unless it is there already. */
  shelve(key: string): Shelf {
    const known = this.#shelved.get(key);
    if (known !== undefined) return known;
    const shelf = this.#place(key);
    this.#shelved.set(key, shelf);
    return shelf;
  }

  /** The templates of everything that was shelved. */
  markup(): Markup {
    return html`${this.#templates}`;
  }

  #place(key: string): Shelf {
    const view = this.#views.get(key);
    if (view === undefined) return { kind: 'unrecorded' };
    const halves = exchangeHalves(view);
    if (this.#taken + halves.text.length > room) return { kind: 'no-room' };
    this.#taken += halves.text.length;
    const id = `exchange-${this.#templates.length}`;
    this.#templates.push(html`<template id="${id}">${halves}</template>
`);
    return { kind: 'here', id };
  }
}
