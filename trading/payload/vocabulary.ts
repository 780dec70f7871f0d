// The one vocabulary of what senders write: names of fields, words of actions and sides, units, containers. Reader, guide,
// templates, mapping proposals and tests share it; a new word goes into one of its lists.
export { mayHoldMessage, type Zone, zoneOf } from './vocabulary/containers.ts'
export { contentOf } from './vocabulary/free-text.ts'
export { countsByName, type FieldName, fieldOfName, isWeightless, namesOf } from './vocabulary/names.ts'
export { compact, keyName, wordOf } from './vocabulary/spell.ts'
export { type SizeUnit, unitOfWord } from './vocabulary/units.ts'
export {
  type HeldSide,
  type Meaning,
  meaningOf,
  meaningOfAction,
  openCloseOf,
  otherWord,
  type Verb,
  type WordGroup,
  wordGroup,
  wordsOf,
} from './vocabulary/words.ts'
