/**
 * TypeScript 7 requires a declaration for side-effect imports of style sheets; esbuild merges the
 * sheets into one file.
 */
declare module '*.css'
