import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../kernel/core/index.ts';
import type { Progress } from '../../kernel/engine/index.ts';
import { leaving } from '../../kernel/redaction/index.ts';
import { html, pageOf } from '../../kernel/report/index.ts';
import { isOwnHost } from '../../kernel/wire/index.ts';

/** Script of the page: the text of a function that is compiled with browser types. */
const client: { readonly watch: () => void } = await import(
  pathToFileURL(codeFile('harness/features/live/live.client')).href
);
const script = `'use strict';\n(${client.watch})();\n`;

/** Milliseconds that open pages have to load the report before the server ends. */
const loadingMs = 10_000;

const reportEvent = 'event: report\ndata:\n\n';

/** A page of this machine that shows a run. Only a reader who knows its address can open it. */
export class LivePage {
  /** Path that no page of somebody else can guess. */
  readonly #base = `/${randomUUID()}`;
  readonly #title: string;
  /** Connections that wait for events, with the number of broken checks that each was told. */
  readonly #watching = new Map<ServerResponse, number>();
  readonly #server: Server;
  #latest: Progress | null = null;
  #report: string | null = null;
  #onLoaded = (): void => undefined;

  private constructor(title: string) {
    this.#title = title;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Starts the server of a page on the loopback interface. */
  static async start(title: string): Promise<LivePage> {
    const page = new LivePage(title);
    page.#server.listen(0, '127.0.0.1');
    await once(page.#server, 'listening');
    return page;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#base}/`;
  }

  show(progress: Progress): void {
    this.#latest = progress;
    for (const response of this.#watching.keys()) this.#tell(response);
  }

  /** Replaces the content of all open pages by a report, and waits until they have loaded it. */
  async become(report: string): Promise<void> {
    this.#report = leaving(report, 'the live page');
    let left = this.#watching.size;
    if (left === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, loadingMs);
      this.#onLoaded = () => {
        left--;
        if (left > 0) return;
        clearTimeout(timer);
        resolve();
      };
      for (const response of this.#watching.keys()) response.write(reportEvent);
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    // A page of somebody else may come by another name for this address.
    const isOwn = isOwnHost(request.headers.host ?? '', new Set(), request.socket);
    if (!isOwn || request.method !== 'GET') return void response.writeHead(403).end();
    const send = (text: string): void => {
      response.writeHead(200, { ...unkept, 'content-type': 'text/html; charset=utf-8' }).end(text);
    };
    const { url } = request;
    if (url === `${this.#base}/events`) this.#watch(response);
    else if (url === `${this.#base}/`) send(pageText(this.#title));
    else if (url === `${this.#base}/report` && this.#report !== null) {
      response.once('close', () => this.#onLoaded());
      send(this.#report);
    } else response.writeHead(404).end();
  }

  #watch(response: ServerResponse): void {
    response.writeHead(200, { ...unkept, 'content-type': 'text/event-stream' });
    this.#watching.set(response, 0);
    response.once('close', () => this.#watching.delete(response));
    this.#tell(response);
    if (this.#report !== null) response.write(reportEvent);
  }

  /** Tells a page the progress, and the broken checks that it does not know yet, unless it is behind. */
  #tell(response: ServerResponse): void {
    if (this.#latest === null || response.writableNeedDrain) return;
    const { broken = [] } = this.#latest;
    const news = { ...this.#latest, broken: broken.slice(this.#watching.get(response)) };
    this.#watching.set(response, broken.length);
    response.write(`data: ${leaving(JSON.stringify(news), 'the live page')}\n\n`);
  }
}

const unkept = { 'cache-control': 'no-store' };

function pageText(title: string): string {
  const document = {
    kind: 'live run',
    title,
    conclusion: null,
    blocks: [
      {
        block: 'drawn' as const,
        markup: () => html`<p id="progress" role="status">Waiting for the first answer.</p>
<progress id="bar" aria-label="Checks judged" max="1" value="0"></progress>
<section id="suites" aria-label="Suites"></section>
<section aria-labelledby="broken-title"><h2 id="broken-title">What does not hold</h2>
<p id="none">Nothing so far.</p>
<div id="broken"></div></section>`,
      },
    ],
  };
  return pageOf(document, {
    script,
    skip: ['broken-title', 'Skip to what does not hold'],
    data: () => html``,
    connects: true,
  });
}
