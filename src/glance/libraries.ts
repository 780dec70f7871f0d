// Stand in for the libraries that a page asks, where it is drawn before the application runs (vite.config.ts): the state is read
// once, a query's answer is one that is here already, the address is the browser's own, and nothing leads anywhere.

const nothing = (): void => undefined
const same = <T>(value: T): T => value

// valtio
export const proxy = same
export const useSnapshot = same
export const snapshot = same
export const subscribe = nothing

// @tanstack/react-query
interface Question {
  queryKey?: readonly unknown[]
  enabled?: boolean
}
const answers = new Map<string, unknown>()
export const hashKey = (key: readonly unknown[]): string => JSON.stringify(key)
export const queryOptions = same
export const infiniteQueryOptions = same
/** The answer to a query, before anything is drawn. */
export const answer = (key: readonly unknown[], data: unknown): void => void answers.set(hashKey(key), data)
export const answerTo = (key: readonly unknown[]): unknown => answers.get(hashKey(key))
export const useQuery = ({ queryKey = [], enabled = true }: Question) => {
  const data = answerTo(queryKey)
  const missing = data === undefined
  const asks = missing && enabled
  return {
    ...{ data, error: null, dataUpdatedAt: Date.now(), refetch: nothing },
    ...{ isFetching: asks, isLoading: asks, isPending: missing, isSuccess: !missing },
  }
}
export const useInfiniteQuery = useQuery
export const useQueries = ({ queries }: { queries: readonly Question[] }) => queries.map(useQuery)
export const useMutation = () => ({ mutate: nothing, isPending: false })

// @tanstack/react-router
const history = { push: nothing, replace: nothing, back: nothing, state: {} }
const place = () => ({
  pathname: location.pathname,
  searchStr: location.search,
  hash: location.hash,
  search: Object.fromEntries(new URLSearchParams(location.search)),
  state: {},
})
export const useRouter = () => ({ history })
export const useNavigate = () => nothing
export const useLocation = place
export const useSearch = () => place().search
export const useRouterState = <T>({ select }: { select: (state: object) => T }): T =>
  select({ location: place(), resolvedLocation: place(), matches: [] })
export const useBlocker = nothing

// @tanstack/react-virtual: the first lines, as many as a screen has
const LINES = 24
interface Lines {
  count: number
  estimateSize: (index: number) => number
  getItemKey?: (index: number) => string | number
  gap?: number
}
export const defaultRangeExtractor = nothing
export function useWindowVirtualizer({ count, estimateSize, getItemKey = same, gap = 0 }: Lines) {
  let start = 0
  const items = Array.from({ length: Math.min(count, LINES) }, (_, index) => {
    const item = { index, key: getItemKey(index), start, size: estimateSize(index) }
    start += item.size + gap
    return item
  })
  return {
    ...{ getVirtualItems: () => items, getTotalSize: () => start, measure: nothing, measureElement: null },
    ...{ scrollOffset: 0, scrollToIndex: nothing, range: { startIndex: 0, endIndex: items.length - 1 } },
  }
}
