// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Contracts that keep balances in ways of their own, and one that reads balances, for the views of accounts.

/// Burns one of a hundred on each transfer, and says nothing of it.
contract FeeToken {
    string public constant name = "Fee Coin"; string public constant symbol = "FEE"; uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    function mint(address to, uint256 value) external { balanceOf[to] += value; emit Transfer(address(0), to, value); }
    function approve(address spender, uint256 value) external returns (bool) { allowance[msg.sender][spender] = value; emit Approval(msg.sender, spender, value); return true; }
    function transfer(address to, uint256 value) external returns (bool) { move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) { allowance[from][msg.sender] -= value; move(from, to, value); return true; }
    function move(address from, address to, uint256 value) private { balanceOf[from] -= value; balanceOf[to] += value - value / 100; emit Transfer(from, to, value); }
}

/// Balances are shares of what grows.
contract RebasingToken {
    string public constant name = "Rebasing Coin"; string public constant symbol = "GROW"; uint8 public constant decimals = 6;
    uint256 private grown;
    function index() private view returns (uint256) { return 1e6 + grown; }
    mapping(address => uint256) private shares;
    event Transfer(address indexed from, address indexed to, uint256 value);
    function balanceOf(address owner) public view returns (uint256) { return shares[owner] * index() / 1e6; }
    function mint(address to, uint256 value) external { shares[to] += value * 1e6 / index(); emit Transfer(address(0), to, value); }
    function transfer(address to, uint256 value) external returns (bool) { uint256 moved = value * 1e6 / index(); shares[msg.sender] -= moved; shares[to] += moved; emit Transfer(msg.sender, to, value); return true; }
    /// What everybody has grows by a tenth.
    function rebase() external { grown += index() / 10; }
    function transferAndRebase(address to, uint256 value) external { uint256 moved = value * 1e6 / index(); shares[msg.sender] -= moved; shares[to] += moved; emit Transfer(msg.sender, to, value); grown += index() / 10; }
}

/// ERC-1155 with balances.
contract HeldMulti {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
    function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0xd9b67a26 || id == 0x01ffc9a7; }
    function mint(address to, uint256 id, uint256 value) external { balanceOf[to][id] += value; emit TransferSingle(msg.sender, address(0), to, id, value); }
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external { move(from, to, id, value); emit TransferSingle(msg.sender, from, to, id, value); }
    function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata) external {
        for (uint256 i; i < ids.length; i++) move(from, to, ids[i], values[i]);
        emit TransferBatch(msg.sender, from, to, ids, values);
    }
    function move(address from, address to, uint256 id, uint256 value) private { balanceOf[from][id] -= value; balanceOf[to][id] += value; }
}

/// What a view asks of Multicall3.
contract Reader {
    struct Call3 { address target; bool allowFailure; bytes callData; }
    struct Result { bool success; bytes returnData; }
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory r) {
        r = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) { (r[i].success, r[i].returnData) = calls[i].target.call(calls[i].callData); require(r[i].success || calls[i].allowFailure, "failed"); }
    }
    function getEthBalance(address owner) external view returns (uint256) { return owner.balance; }
    function getBlockNumber() external view returns (uint256) { return block.number; }
}
