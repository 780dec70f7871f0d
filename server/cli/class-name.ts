// What a class of a CSS module is called on the page: the component's name and its own, so that tests and people can read it.

const kebab = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

/** Whose a class on the page is: without a hash, two components of one name would restyle each other. */
const owners = new Map<string, string>()

/** `root` of NameCard.module.css is `name-card`, `keyLine` there is `name-card-key-line`. */
export function classOf(local: string, file: string): string {
  // a build asks for `NameCard.module.css?used`
  const [path = ''] = file.split('?')
  const name = path.split(/[/\\]/).at(-1) ?? ''
  const component = kebab(name.slice(0, Math.max(0, name.indexOf('.module.css'))))
  const found = local === 'root' ? component : `${component}-${kebab(local)}`
  const owner = owners.get(found) ?? path
  if (owner !== path) throw new Error(`.${found} is of ${owner} and of ${path}: rename one of the two`)
  owners.set(found, path)
  return found
}
