// What a class of a CSS module is called on the page: the component's name and its own, so that tests and people can read it.

const kebab = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

/** `root` of NameCard.module.css is `name-card`, `keyLine` there is `name-card-key-line`. */
export function classOf(local: string, file: string): string {
  const component = kebab(/([^/\\]+)\.module\.css/.exec(file)?.[1] ?? '')
  return local === 'root' ? component : `${component}-${kebab(local)}`
}
