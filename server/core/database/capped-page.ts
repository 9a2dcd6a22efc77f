/** Totals of long lists are counted no further than this. */
export const maxCounted = 10_000

/**
 * A page of a list that is counted no further than `maxCounted`. `rows` holds one row more than the page if there is another
 * one; a first page that holds everything needs no count.
 */
export const cappedPage = async <Row>(
  rows: readonly Row[],
  { page, pageSize }: { page: number; pageSize: number },
  count: () => Promise<number>,
) => {
  const isWhole = page === 1 && rows.length <= pageSize
  const total = isWhole ? rows.length : await count()
  return {
    Items: rows.slice(0, pageSize),
    Total: Math.min(total, maxCounted),
    IsTotalCapped: total > maxCounted,
    Page: page,
    PageSize: pageSize,
  }
}
