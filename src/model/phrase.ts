/** `untrusted`: an attacker may have chosen some characters. */
export interface Phrase {
  text: string;
  untrusted: boolean;
}
