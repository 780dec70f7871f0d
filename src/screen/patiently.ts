// Code that is fetched after the first paint: offline before it was stored, it waits for the network instead of taking the page down.

/** What `load` gives; while the device is offline it is asked again when the network is back. Online its error is thrown. */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise<void>((back) => addEventListener('online', () => back(), { once: true }))
    return patiently(load)
  }
}
