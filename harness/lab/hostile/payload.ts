/** Everything that a log, a page, a terminal or a report might take for its own. */
export const payload = [
  '\x1b[2J\x1b]0;title\x07\x1b]8;;http://x/\x07link\x1b]52;c;eA==\x07',
  '\r\n::error::injected\n::stop-commands::x\n::set-output name=a::b\n##[error]injected\n##vso[task.complete]x\n',
  'section_start:1:x\r\x1b[0K',
  '</script><script>alert(1)</script><img src=x onerror=alert(1)>]]>&lt;',
  '```\n# heading\n[link](javascript:alert(1)) ![x](http://x/) @everyone',
  '$(touch /tmp/x) `id` "\' \u202e \u2028 \ufeff \u0000',
].join(' ');
/** The payload within a string of JSON. */
export const written = JSON.stringify(payload).slice(1, -1);
