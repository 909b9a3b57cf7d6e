/**
 * Lines that a code finds fault with, and the same as they should be: cut out of whole files, which the tests check. A line `…`
 * stands for some left out, one in parentheses is a remark.
 */
export interface CodeSample {
  bad: string;
  good: string;
}
