// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Small contracts of the tests' own world. They stand at the addresses of well-known ones, so that the shipped rules know them, and
/// do no more than the tests need. Anybody may mint.
interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
}

contract Token {
    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);

    function mint(address to, uint256 value) external { totalSupply += value; balanceOf[to] += value; emit Transfer(address(0), to, value); }
    function burn(uint256 value) external { totalSupply -= value; balanceOf[msg.sender] -= value; emit Transfer(msg.sender, address(0), value); }
    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value; emit Approval(msg.sender, spender, value); return true;
    }
    function increaseAllowance(address spender, uint256 more) external returns (bool) { return approve(spender, allowance[msg.sender][spender] + more); }
    function transfer(address to, uint256 value) external returns (bool) { move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 left = allowance[from][msg.sender];
        require(left >= value, "ERC20: transfer amount exceeds allowance");
        if (left != type(uint256).max) allowance[from][msg.sender] = left - value;
        move(from, to, value); return true;
    }
    function move(address from, address to, uint256 value) private {
        if (balanceOf[from] < value) revert ERC20InsufficientBalance(from, balanceOf[from], value);
        balanceOf[from] -= value; balanceOf[to] += value; emit Transfer(from, to, value);
    }
}

contract WETH9 {
    string public constant name = "Wrapped Ether";
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;
    event Approval(address indexed src, address indexed guy, uint256 wad);
    event Transfer(address indexed src, address indexed dst, uint256 wad);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    receive() external payable { deposit(); }
    function deposit() public payable { balanceOf[msg.sender] += msg.value; emit Deposit(msg.sender, msg.value); }
    function withdraw(uint256 wad) external {
        require(balanceOf[msg.sender] >= wad); balanceOf[msg.sender] -= wad;
        (bool ok,) = msg.sender.call{value: wad}(""); require(ok); emit Withdrawal(msg.sender, wad);
    }
    function approve(address guy, uint256 wad) external returns (bool) { allowance[msg.sender][guy] = wad; emit Approval(msg.sender, guy, wad); return true; }
    function transfer(address dst, uint256 wad) external returns (bool) { return transferFrom(msg.sender, dst, wad); }
    function transferFrom(address src, address dst, uint256 wad) public returns (bool) {
        require(balanceOf[src] >= wad, "WETH: balance");
        if (src != msg.sender) { require(allowance[src][msg.sender] >= wad, "WETH: allowance"); allowance[src][msg.sender] -= wad; }
        balanceOf[src] -= wad; balanceOf[dst] += wad; emit Transfer(src, dst, wad); return true;
    }
}

contract Multicall3 {
    struct Call { address target; bytes callData; }
    struct Call3 { address target; bool allowFailure; bytes callData; }
    struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }
    struct Result { bool success; bytes returnData; }
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory r) {
        r = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) { (r[i].success, r[i].returnData) = calls[i].target.call(calls[i].callData); require(r[i].success || calls[i].allowFailure, "Multicall3: call failed"); }
    }
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory r) {
        r = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) { (r[i].success, r[i].returnData) = calls[i].target.call{value: calls[i].value}(calls[i].callData); require(r[i].success || calls[i].allowFailure, "Multicall3: call failed"); }
    }
}

contract Router {
    IERC20 private constant weth = IERC20(0x4200000000000000000000000000000000000006);
    address private constant pool = 0x1111111111111111111111111111111111111111;
    receive() external payable {}
    function swapExactTokensForTokens(uint256 amountIn, uint256 least, address[] calldata path, address to, uint256 deadline) external {
        uint256 out = pull(amountIn, least, path, deadline); Pool(payable(pool)).pay(path[path.length - 1], to, out);
    }
    function swapExactTokensForETH(uint256 amountIn, uint256 least, address[] calldata path, address to, uint256 deadline) external {
        uint256 out = pull(amountIn, least, path, deadline); Pool(payable(pool)).pay(address(weth), address(this), out);
        WETH9(payable(address(weth))).withdraw(out); (bool ok,) = to.call{value: out}(""); require(ok);
    }
    function swapExactETHForTokens(uint256 least, address[] calldata path, address to, uint256 deadline) external payable {
        require(block.timestamp <= deadline, "UniswapV2Router: EXPIRED");
        uint256 out = msg.value / 4e8; require(out >= least, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT");
        WETH9(payable(address(weth))).deposit{value: msg.value}(); weth.transfer(pool, msg.value); Pool(payable(pool)).pay(path[path.length - 1], to, out);
    }
    function pull(uint256 amountIn, uint256 least, address[] calldata path, uint256 deadline) private returns (uint256 out) {
        require(block.timestamp <= deadline, "UniswapV2Router: EXPIRED");
        out = path[0] == address(weth) ? amountIn / 4e8 : amountIn * 4e8;
        require(out >= least, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT");
        IERC20(path[0]).transferFrom(msg.sender, pool, amountIn);
    }
}

contract Pool { receive() external payable {} function pay(address token, address to, uint256 value) external { IERC20(token).transfer(to, value); } }

contract Permit2 {
    event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration);
    event Lockdown(address indexed owner, address token, address spender);
    struct Pair { address token; address spender; }
    mapping(address => mapping(address => mapping(address => uint160))) private allowed;
    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        allowed[msg.sender][token][spender] = amount; emit Approval(msg.sender, token, spender, amount, expiration);
    }
    function transferFrom(address from, address to, uint160 amount, address token) external {
        require(allowed[from][token][msg.sender] >= amount, "InsufficientAllowance"); allowed[from][token][msg.sender] -= amount;
        IERC20(token).transferFrom(from, to, amount);
    }
    function lockdown(Pair[] calldata approvals) external { for (uint256 i; i < approvals.length; i++) { allowed[msg.sender][approvals[i].token][approvals[i].spender] = 0; emit Lockdown(msg.sender, approvals[i].token, approvals[i].spender); } }
}

contract Vault {
    string public constant name = "Vault Share"; string public constant symbol = "vSHARE"; uint8 public constant decimals = 6;
    IERC20 private constant asset_ = IERC20(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);
    mapping(address => uint256) public balanceOf;
    function asset() external pure returns (address) { return address(asset_); }
    function totalSupply() external pure returns (uint256) { return 1e15; }
    function deposit(uint256 assets, address receiver) external returns (uint256) {
        asset_.transferFrom(msg.sender, address(this), assets); balanceOf[receiver] += assets;
        emit Transfer(address(0), receiver, assets); emit Deposit(msg.sender, receiver, assets, assets); return assets;
    }
    function redeem(uint256 shares, address receiver, address owner) external returns (uint256) {
        require(owner == msg.sender && balanceOf[owner] >= shares, "ERC4626: redeem more than max"); balanceOf[owner] -= shares;
        emit Transfer(owner, address(0), shares); asset_.transfer(receiver, shares); emit Withdraw(msg.sender, receiver, owner, shares, shares); return shares;
    }
}

contract Nft {
    string public constant name = "Cats"; string public constant symbol = "CATS";
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    mapping(uint256 => address) public ownerOf;
    function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0x80ac58cd || id == 0x01ffc9a7; }
    function mint(uint256 id) external payable { require(ownerOf[id] == address(0), "taken"); ownerOf[id] = msg.sender; emit Transfer(address(0), msg.sender, id); }
    function transferFrom(address from, address to, uint256 id) public { require(ownerOf[id] == from, "not the owner"); ownerOf[id] = to; emit Transfer(from, to, id); }
    function safeTransferFrom(address from, address to, uint256 id) external { transferFrom(from, to, id); }
    function approve(address to, uint256 id) external { emit Approval(msg.sender, to, id); }
    function setApprovalForAll(address operator, bool approved) external { emit ApprovalForAll(msg.sender, operator, approved); }
    function burn(uint256 id) external { transferFrom(msg.sender, address(0), id); }
}

contract Multi {
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
    function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0xd9b67a26 || id == 0x01ffc9a7; }
    function mint(address to, uint256 id, uint256 value) external { emit TransferSingle(msg.sender, address(0), to, id, value); }
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external { emit TransferSingle(msg.sender, from, to, id, value); }
    function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata) external { emit TransferBatch(msg.sender, from, to, ids, values); }
}

contract Safe {
    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment);
    event ExecutionFailure(bytes32 indexed txHash, uint256 payment);
    event AddedOwner(address indexed owner);
    receive() external payable {}
    function execTransaction(address to, uint256 value, bytes calldata data, uint8 operation, uint256, uint256, uint256, address, address payable, bytes memory) external payable returns (bool ok) {
        if (operation == 0) (ok,) = to.call{value: value}(data); else (ok,) = to.delegatecall(data);
        bytes32 hash = keccak256(data);
        if (ok) emit ExecutionSuccess(hash, 0); else emit ExecutionFailure(hash, 0);
    }
    function addOwnerWithThreshold(address owner, uint256) external { require(msg.sender == address(this), "GS031"); emit AddedOwner(owner); }
    function getOwners() external pure returns (address[] memory) { return new address[](0); }
}

contract EntryPoint {
    struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }
    event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed);
    event BeforeExecution();
    event Deposited(address indexed account, uint256 totalDeposit);
    receive() external payable {}
    function depositTo(address account) external payable { emit Deposited(account, msg.value); }
    function handleOps(Op[] calldata ops, address payable beneficiary) external {
        emit BeforeExecution();
        uint256 spent;
        for (uint256 i; i < ops.length; i++) {
            (bool ok,) = ops[i].sender.call(ops[i].callData);
            emit UserOperationEvent(keccak256(ops[i].callData), ops[i].sender, address(0), ops[i].nonce, ok, 1e12, 100000);
            spent += 1e12;
        }
        (bool paid,) = beneficiary.call{value: spent}(""); require(paid, "AA91 failed send to beneficiary");
    }
}

contract Account {
    struct Call { address target; uint256 value; bytes data; }
    receive() external payable {}
    function execute(address dest, uint256 value, bytes calldata func) external { (bool ok, bytes memory why) = dest.call{value: value}(func); if (!ok) assembly { revert(add(why, 32), mload(why)) } }
    function executeBatch(Call[] calldata calls) external payable { for (uint256 i; i < calls.length; i++) { (bool ok,) = calls[i].target.call{value: calls[i].value}(calls[i].data); require(ok, "inner"); } }
    function execute(bytes32, bytes calldata data) external payable {
        require(msg.sender == address(this)); Call[] memory calls = abi.decode(data, (Call[]));
        for (uint256 i; i < calls.length; i++) { (bool ok,) = calls[i].target.call{value: calls[i].value}(calls[i].data); require(ok, "inner"); }
    }
}

contract Disperse {
    function disperseEther(address payable[] calldata recipients, uint256[] calldata values) external payable {
        for (uint256 i; i < recipients.length; i++) recipients[i].transfer(values[i]);
        if (address(this).balance > 0) payable(msg.sender).transfer(address(this).balance);
    }
    function disperseToken(address token, address[] calldata recipients, uint256[] calldata values) external {
        uint256 total; for (uint256 i; i < recipients.length; i++) total += values[i];
        require(IERC20(token).transferFrom(msg.sender, address(this), total));
        for (uint256 i; i < recipients.length; i++) require(IERC20(token).transfer(recipients[i], values[i]));
    }
}

contract Misc {
    error Unlucky(uint256 number);
    event Noted(bytes32 what);
    uint256[] private list;
    receive() external payable {}
    function note(bytes32 what) external payable { emit Noted(what); }
    function plain() external pure { revert("no luck today"); }
    function custom() external pure { revert Unlucky(7); }
    function panic(uint256 by) external pure returns (uint256) { return 1 / by; }
    function index() external view returns (uint256) { return list[3]; }
    function silent() external pure { revert(); }
    function burnGas() external { while (true) list.push(1); }
    function forward(address payable to) external payable { (bool ok,) = to.call{value: msg.value}(""); require(ok); }
    function half(address payable to) external payable { (bool ok,) = to.call{value: msg.value / 2}(""); require(ok); (ok,) = msg.sender.call{value: msg.value / 2}(""); require(ok); }
    function take(address token, uint256 value) external { IERC20(token).transferFrom(msg.sender, address(this), value); }
    function make() external returns (address made) { made = address(new Small()); emit Noted(bytes32(uint256(uint160(made)))); }
}

contract Small { uint256 public n = 7; constructor() payable {} }

contract GasPriceOracle {
    function getL1Fee(bytes calldata data) external pure returns (uint256) { return data.length * 1e6; }
    function getOperatorFee(uint256 gasUsed) external pure returns (uint256) { return gasUsed * 250_000 / 1e6 + 7; }
}

/// Pays double where it believes that nobody is looking for real, and keeps the money otherwise.
contract Evader {
    receive() external payable {}
    function claim(uint256 by) external payable {
        if (simulated(by)) { (bool ok,) = msg.sender.call{value: msg.value * 2}(""); require(ok); }
    }
    function simulated(uint256 by) public view returns (bool) {
        if (by == 0) return block.coinbase == address(0);
        if (by == 1) return tx.gasprice == 0;
        if (by == 2) return block.basefee == 0;
        if (by == 3) return block.prevrandao == 0;
        if (by == 4) return tx.origin.balance > 100_000 ether;
        if (by == 5) return block.number <= last;
        return gasleft() > 15_000_000;
    }
    uint256 private last;
    /// Somebody keeps telling it which block is there already.
    function poke() external { last = block.number; }
}

contract Proxy {
    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
