import type { Exchange } from '../core/index.ts';
import { headerValues } from '../wire/index.ts';

/** Signs of a firewall in front of a gateway that answers in its place. */
interface Wall {
  readonly name: string;
  /** A header that suffices by itself, with any status. */
  readonly says?: readonly [header: string, value: RegExp];
  /** A header that all its answers have. */
  readonly shows?: readonly [header: string, value: RegExp];
  /** Text in its pages. */
  readonly page?: RegExp;
}

const walls: readonly Wall[] = [
  {
    name: 'Cloudflare',
    says: ['cf-mitigated', /challenge|block/i],
    shows: ['server', /^cloudflare/i],
    page: /cdn-cgi\/challenge-platform|__cf_chl|cf-error-details|Attention Required! \| Cloudflare/,
  },
  {
    name: 'AWS WAF',
    says: ['x-amzn-waf-action', /challenge|captcha/i],
    shows: ['server', /^(CloudFront|awselb)/i],
    page: /awsWafCookieDomainList|The request could not be satisfied/,
  },
  { name: 'Akamai', shows: ['server', /^AkamaiGHost/i], page: /errors\.edgesuite\.net/ },
  {
    name: 'Imperva',
    shows: ['x-cdn', /imperva|incapsula/i],
    page: /_Incapsula_Resource|Incapsula incident ID/,
  },
  { name: 'DataDome', shows: ['x-datadome', /./], page: /captcha-delivery\.com/ },
  { name: 'Sucuri', shows: ['x-sucuri-id', /./], page: /Sucuri WebSite Firewall/i },
  { name: 'Azure Front Door', shows: ['x-azure-ref', /./], page: /azurefd\.net|Azure WAF/ },
  { name: 'F5', page: /The requested URL was rejected\. Please consult with your administrator/ },
];

const blockingStatuses: readonly (number | undefined)[] = [403, 405, 429, 503];

/**
 * Returns the name of the firewall that answered in place of a gateway, with a page for people that blocks the
 * request. Such a page says nothing about the gateway behind it. Null: no block page.
 */
export function blockPage(exchange: Exchange): string | null {
  const { response } = exchange;
  if (response === null) return null;
  const has = ([header, value]: readonly [string, RegExp]): boolean =>
    headerValues(exchange, header).some((each) => value.test(each));
  const isPage =
    blockingStatuses.includes(response.status) && has(['content-type', /^text\/html/i]);
  const body = isPage ? Buffer.from(response.body).toString('latin1') : '';
  const wall = walls.find(
    ({ says, shows, page }) =>
      (says !== undefined && has(says)) ||
      (isPage && ((shows !== undefined && has(shows)) || page?.test(body) === true)),
  );
  return wall?.name ?? null;
}
