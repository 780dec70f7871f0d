// The address of the sheet of a manual signal (ruling A8): over the page of its strategy, else over the list.

/** `id` of a strategy, or any: over a strategy's own page it is that one. */
export function manualHref(id = '1'): string {
  const { pathname, search: before } = location
  const search = new URLSearchParams(before)
  search.set('manual', id)
  const here = /^\/strategies(\/[0-9a-f-]{36})?$/.test(pathname)
  return here ? `${pathname}?${search}` : `/strategies?manual=${id}`
}
