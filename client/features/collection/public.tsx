/** What other features may use of collection. */
export { StopForm } from './desk/CaseForms.tsx'
export { casePath } from './desk/case-words.ts'
export { RulesChange } from './rules/RulesChange.tsx'
