// For scorers outside this repository, which look for it here.
export { decide } from "./engine/decide.ts";
