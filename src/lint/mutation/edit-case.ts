import type { Address } from "../../kernel/address.ts";
import type { CaseFile, RpcFrame, RpcLog } from "../../model/case-file.ts";
import { swapAddresses } from "../examples/untrusted.ts";

/** The same case with other logs. Nothing is changed in place: cases of examples are shared. */
export function withLogs(file: CaseFile, logs: RpcLog[]): CaseFile {
  return { ...file, receipt: { ...file.receipt, logs } };
}

/** Each log as `edit` gives it back; those without an answer are left out. */
export function editLogs(file: CaseFile, edit: (log: RpcLog, index: number) => RpcLog | undefined): CaseFile {
  const logs = file.receipt.logs.flatMap((log, index) => edit(log, index) ?? []);
  return withLogs(file, logs);
}

/** The envelope, calldata and frames aimed at untrusted contracts; the logs stay as they are. */
export function retargetCalls(file: CaseFile, untrusted: ReadonlyMap<Address, Address>): CaseFile {
  const { logs, ...envelope } = file.receipt;
  return {
    ...file,
    transaction: swapAddresses(file.transaction, untrusted),
    receipt: { ...swapAddresses(envelope, untrusted), logs },
    trace: swapAddresses(file.trace, untrusted),
  };
}

/** A copy whose frame of the given place in pre-order is another one. */
export function editFrame(root: RpcFrame, place: number, edit: (frame: RpcFrame) => RpcFrame): RpcFrame {
  let next = 0;
  const visit = (frame: RpcFrame): RpcFrame => {
    const own = next++;
    const calls = frame.calls?.map(visit);
    const copy = calls === undefined ? frame : { ...frame, calls };
    return own === place ? edit(copy) : copy;
  };
  return visit(root);
}
