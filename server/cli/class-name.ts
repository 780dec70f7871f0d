// What a class of a CSS module is called on the page: the component's name and its own, so that tests and people can read it.

const kebab = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

/** `root` of NameCard.module.css is `name-card`, `keyLine` there is `name-card-key-line`. */
export function classOf(local: string, file: string): string {
  // a build asks for `NameCard.module.css?used`
  const name = file.split(/[/\\]/).at(-1) ?? ''
  const component = kebab(name.slice(0, Math.max(0, name.indexOf('.module.css'))))
  return local === 'root' ? component : `${component}-${kebab(local)}`
}
