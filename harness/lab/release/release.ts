/** Release versions of files of the repository, which themselves do not name its address. */

interface Origin {
  /** `https://github.com/<owner>/<name>` */
  readonly repository: string;
  /** The tag, or the commit where there is none. */
  readonly ref: string;
}

/**
 * Lists the obstacles to releasing a version under a tag: a sentence for each.
 *
 * @param tag null for a rehearsal
 */
export function obstaclesTo(tag: string | null, version: string, changelog: string): string[] {
  const found: string[] = [];
  if (tag !== null && tag !== `v${version}`) {
    found.push(`The tag is ${tag}, and package.json says ${version}: they have to agree.`);
  }
  if (tag !== null && notesOf(version, changelog) === null) {
    found.push(
      `CHANGELOG.md has no section "## ${version}": name the one of what is unreleased so.`,
    );
  }
  return found;
}

/** Returns the section of the changelog for a version, or null if there is none. */
export function notesOf(version: string, changelog: string): string | null {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.split(/\s/, 1)[0] === version);
  return own === undefined ? null : `${own.slice(own.indexOf('\n')).trim()}\n`;
}

/** `package.json` with the place that a registry links. */
export function withOrigin(packageFile: string, { repository }: Origin): string {
  const parsed: object = JSON.parse(packageFile);
  const origin = {
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git` },
  };
  return `${JSON.stringify({ ...parsed, ...origin }, null, 2)}\n`;
}

/** A page whose links and pictures open wherever it is shown: at the commit that it describes. */
export function withWholeLinks(page: string, { repository, ref }: Origin): string {
  return page.replace(
    /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g,
    (_, picture: string, text: string, path: string) =>
      `${picture}[${text}](${repository}/${picture === '' ? 'blob' : 'raw'}/${ref}/${path})`,
  );
}
