/** What `useRead` gives of a list: its rows alone, or a page of them with how many there are. */
type ReadList<Row> = {
  data: readonly Row[] | { Items: readonly Row[]; Total?: number | null } | undefined
  isFetching: boolean
  error: Error | null
  refetch: () => Promise<unknown>
}

/** What a grid needs of a list that was read: `<Grid {...fromList(rows)} … />`. */
export const fromList = <Row>({ data, isFetching, error, refetch }: ReadList<Row>) => {
  const { Items: rows, Total } = data && 'Items' in data ? data : { Items: data }
  return {
    rows,
    isLoading: isFetching,
    error: error?.message,
    onRetry: () => void refetch(),
    ...(typeof Total === 'number' && { total: Total }),
  }
}
