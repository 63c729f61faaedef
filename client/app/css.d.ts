/** TypeScript 7 wants side-effect imports of style sheets declared; esbuild gathers them into one file. */
declare module '*.css'
