/**
 * Reads page after page, until one does not say where the next one begins. A source that returns the same page again and
 * again would be asked for ever, unless an error for that is given.
 */
export async function* pagesOf<Page>(
  read: (from: string | undefined) => Promise<Page>,
  nextIn: (page: Page) => string | undefined,
  samePage?: () => Error,
): AsyncGenerator<Page, void> {
  let from: string | undefined;
  do {
    const page = await read(from);
    yield page;
    const next = nextIn(page);
    if (samePage && next && next === from) throw samePage();
    from = next;
  } while (from);
}
